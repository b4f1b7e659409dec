import { useRef } from 'preact/hooks'
import { Form } from '../form/form.tsx'
import type { FormFields } from '../form/values.ts'
import { useConsole } from '../view/console.ts'
import { useTimes } from '../view/times.ts'
import { LONGEST_NAME, type Passkey, renamePasskey } from './passkeys.ts'

const FIELDS: FormFields = { name: { kind: 'text', required: true, maxLength: LONGEST_NAME } }

interface Props {
  passkey: Passkey
  isRenaming: boolean
  onRenaming: (isRenaming: boolean) => void
  onRenamed: () => void
  onDelete: () => void
}

/** One passkey, which can be renamed and deleted. */
export function PasskeyItem({ passkey, isRenaming, onRenaming, onRenamed, onDelete }: Props) {
  const { say } = useConsole()
  const times = useTimes()
  const opener = useRef<HTMLButtonElement>(null)
  const { _id, name, created_at, last_used_at } = passkey
  const close = (): void => {
    onRenaming(false)
    opener.current?.focus()
  }
  return (
    <li>
      <strong>{name}</strong>
      <span>{say('passkeys_created', { time: times.at(created_at) })}</span>
      {last_used_at !== null && <span>{say('passkeys_used', { time: times.at(last_used_at) })}</span>}
      <button
        ref={opener}
        type="button"
        class="second"
        aria-label={`${say('rename')}: ${name}`}
        aria-expanded={isRenaming}
        onClick={() => onRenaming(!isRenaming)}
      >
        {say('rename')}
      </button>
      <button type="button" class="second alarming" aria-label={`${say('delete')}: ${name}`} onClick={onDelete}>
        {say('delete')}
      </button>
      {isRenaming && (
        <Form
          fields={FIELDS}
          item={{ name }}
          names={{}}
          send={async ({ name: wanted }) => {
            await renamePasskey(_id, String(wanted))
            close()
            onRenamed()
          }}
        >
          <button type="button" class="second" onClick={close}>
            {say('cancel')}
          </button>
        </Form>
      )}
    </li>
  )
}
