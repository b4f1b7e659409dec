import { useState } from 'preact/hooks'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import { signInAgainAddress } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { PasskeyItem } from './passkey-item.tsx'
import { addPasskey, deletePasskey, LONGEST_NAME, readPasskeys } from './passkeys.ts'

/** The passkeys of who is signed in. */
export function PasskeysPage() {
  const { say, session } = useConsole()
  return (
    <>
      <div class="head">
        <h1>{say('page_passkeys')}</h1>
      </div>
      <p class="quiet">{say('passkeys_text')}</p>
      {session.passkeys.available ? <OwnPasskeys /> : <p class="notice">{say('passkeys_unavailable')}</p>}
    </>
  )
}

function OwnPasskeys() {
  const { say } = useConsole()
  const { value: passkeys, error: unread, reload } = useLoaded(readPasskeys, [])
  /** The id of the one that is being renamed. */
  const [renaming, setRenaming] = useState<string>()
  const [error, setError] = useState<GatehouseError>()
  const [isCancelled, setCancelled] = useState(false)
  /** Returns whether it was done. */
  const run = async (act: () => Promise<void>): Promise<boolean> => {
    setError(undefined)
    setCancelled(false)
    try {
      await act()
      reload()
      return true
    } catch (problem) {
      // Someone said no to the browser, or the device has a passkey here already.
      if (problem instanceof DOMException) setCancelled(true)
      else setError(asRefusal(problem))
      return false
    }
  }
  if (unread) return <Problem error={unread} retry={reload} />
  if (!passkeys) return <Skeleton />
  return (
    <>
      {error?.status === 403 && <SignInAgain />}
      {error && error.status !== 403 && <Problem error={error} />}
      {isCancelled && (
        <p class="notice" role="alert">
          {say('passkeys_cancelled')}
        </p>
      )}
      <ul class="check-ins">
        {passkeys.map((passkey) => (
          <PasskeyItem
            key={passkey._id}
            passkey={passkey}
            isRenaming={renaming === passkey._id}
            onRenaming={(isRenaming) => setRenaming(isRenaming ? passkey._id : undefined)}
            onRenamed={reload}
            onDelete={() => void run(() => deletePasskey(passkey._id))}
          />
        ))}
      </ul>
      <AddForm add={(name) => run(() => addPasskey(name))} />
    </>
  )
}

function AddForm({ add }: { add: (name: string) => Promise<boolean> }) {
  const { say } = useConsole()
  const [name, setName] = useState('')
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (await add(name)) setName('')
  }
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <div class="field">
        <label for="passkey-name">{say('field_name')}</label>
        <input
          id="passkey-name"
          aria-describedby="passkey-name-hint"
          required
          maxLength={LONGEST_NAME}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <small id="passkey-name-hint" class="hint">
          {say('hint_passkey_name')}
        </small>
      </div>
      <div class="buttons">
        <button type="submit">{say('passkeys_add')}</button>
      </div>
    </form>
  )
}

/** Whoever signed in long ago may not make a passkey. */
function SignInAgain() {
  const { say, session } = useConsole()
  return (
    <div class="notice" role="alert">
      <p>{say('passkeys_not_fresh')}</p>
      <a class="button" href={signInAgainAddress(session.account, location.hash)}>
        {say('sign_in_again')}
      </a>
    </div>
  )
}
