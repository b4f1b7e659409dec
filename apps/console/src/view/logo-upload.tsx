import { useRef, useState } from 'preact/hooks'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from './console.ts'
import { Problem } from './problem.tsx'

const TYPES = 'image/png,image/jpeg,image/svg+xml'

interface Props {
  /** Begin the names of its texts. */
  words: 'account_logo' | 'badge_logo'
  /** Shows the logo; null: nothing here shows it. */
  picture: { path: string; alt: string } | null
  hasLogo: boolean
  upload: (file: File) => Promise<unknown>
  remove: () => Promise<unknown>
  onChange: () => void
}

/** A logo: shown, uploaded, and deleted, each at once. */
export function LogoUpload({ words, picture, hasLogo, upload, remove, onChange }: Props) {
  const { say } = useConsole()
  const input = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<GatehouseError>()
  const [state, setState] = useState<'open' | 'sending' | 'saved'>('open')
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    setState('sending')
    setError(undefined)
    try {
      await act()
      setState('saved')
      onChange()
    } catch (problem) {
      setError(asRefusal(problem))
      setState('open')
    }
    if (input.current) input.current.value = ''
  }
  const text = (part: '' | '_choose' | '_hint' | '_delete') => say(`${words}${part}` satisfies TextKey)
  return (
    <section class="panel logo">
      <h2>{text('')}</h2>
      {picture && <img src={picture.path} alt={picture.alt} />}
      <label class="field" for="logo">
        {text('_choose')}
      </label>
      <input
        id="logo"
        ref={input}
        type="file"
        accept={TYPES}
        aria-describedby="logo-hint"
        disabled={state === 'sending'}
        onChange={({ currentTarget: { files } }) => {
          const file = files?.[0]
          if (file) void run(() => upload(file))
        }}
      />
      <small id="logo-hint" class="hint">
        {text('_hint')}
      </small>
      <div class="buttons">
        {hasLogo && (
          <button type="button" class="second alarming" disabled={state === 'sending'} onClick={() => void run(remove)}>
            {text('_delete')}
          </button>
        )}
        <output class="quiet">{state === 'saved' && say('saved')}</output>
      </div>
      {error && <Problem error={error} />}
    </section>
  )
}

/** Options of a request that sends a file as it is: the client writes JSON unless it is told otherwise. */
export function asFile(file: File) {
  const asIt = { body: file as unknown as string, bodySerializer: () => file }
  return { ...asIt, headers: { 'content-type': file.type } }
}
