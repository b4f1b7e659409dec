import { useRef, useState } from 'preact/hooks'
import { asRefusal, client, type GatehouseError } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { logoPathOf } from './guest-page-preview.tsx'

const LOGO = '/api/v1/account/logo.json'
const TYPES = 'image/png,image/jpeg,image/svg+xml'

interface Props {
  url: string | null
  name: string
  onChange: () => void
}

/** The account's logo: shown, uploaded, and deleted. */
export function Logo({ url, name, onChange }: Props) {
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
  const upload = (file: File): Promise<void> =>
    run(() => {
      // The client writes JSON unless it is told otherwise.
      const asIt = { body: file as unknown as string, bodySerializer: () => file }
      return client.PUT(LOGO, { ...asIt, headers: { 'content-type': file.type } })
    })
  return (
    <section class="panel logo">
      <h2>{say('account_logo')}</h2>
      {url !== null && <img src={logoPathOf(url)} alt={say('account_logo_of', { name })} />}
      <label class="field" for="logo">
        {say('account_logo_choose')}
      </label>
      <input
        id="logo"
        ref={input}
        type="file"
        accept={TYPES}
        aria-describedby="logo-hint"
        disabled={state === 'sending'}
        onChange={({ currentTarget: { files } }) => files?.[0] && void upload(files[0])}
      />
      <small id="logo-hint" class="hint">
        {say('account_logo_hint')}
      </small>
      <div class="buttons">
        {url !== null && (
          <button
            type="button"
            class="second alarming"
            disabled={state === 'sending'}
            onClick={() => void run(() => client.DELETE(LOGO))}
          >
            {say('account_logo_delete')}
          </button>
        )}
        <output class="quiet">{state === 'saved' && say('saved')}</output>
      </div>
      {error && <Problem error={error} />}
    </section>
  )
}
