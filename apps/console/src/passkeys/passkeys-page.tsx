import { useState } from 'preact/hooks'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import { signInAgainAddress } from '../session/session.ts'
import { timeIn } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { addPasskey, deletePasskey, readPasskeys } from './passkeys.ts'

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
  const { say, language } = useConsole()
  const { value: passkeys, error: unread, reload } = useLoaded(readPasskeys, [])
  const [name, setName] = useState('')
  const [error, setError] = useState<GatehouseError>()
  const [isCancelled, setCancelled] = useState(false)
  const run = async (act: () => Promise<void>): Promise<void> => {
    setError(undefined)
    setCancelled(false)
    try {
      await act()
      setName('')
      reload()
    } catch (problem) {
      // Somebody said no to the browser, or the device has a passkey here already.
      if (problem instanceof DOMException) setCancelled(true)
      else setError(asRefusal(problem))
    }
  }
  const add = (event: SubmitEvent): void => {
    event.preventDefault()
    void run(() => addPasskey(name))
  }
  if (unread) return <Problem error={unread} retry={reload} />
  if (!passkeys) return <p class="quiet">{say('opening')}</p>
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
        {passkeys.map(({ _id, name, created_at, last_used_at }) => (
          <li key={_id}>
            <strong>{name}</strong>
            <span>{say('passkeys_created', { time: timeIn(language, created_at) })}</span>
            {last_used_at !== null && <span>{say('passkeys_used', { time: timeIn(language, last_used_at) })}</span>}
            <button
              type="button"
              class="second alarming"
              aria-label={`${say('delete')}: ${name}`}
              onClick={() => void run(() => deletePasskey(_id))}
            >
              {say('delete')}
            </button>
          </li>
        ))}
      </ul>
      <form class="form" onSubmit={add}>
        <div class="field">
          <label for="passkey-name">{say('field_name')}</label>
          <input
            id="passkey-name"
            required
            maxLength={255}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </div>
        <div class="buttons">
          <button type="submit">{say('passkeys_add')}</button>
        </div>
      </form>
    </>
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
