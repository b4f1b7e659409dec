import { useState } from 'preact/hooks'
import { asRefusal, client, type GatehouseError, type Item, newKey, post } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { CopyButton } from '../view/once.tsx'
import { Problem } from '../view/problem.tsx'
import { useTimes } from '../view/times.ts'

const SECRET = '/api/v1/webhook_secret.json'

/** The secret with which the account's webhooks are signed: shown when asked for, and renewed. */
export function WebhookSecret() {
  const { say, session } = useConsole()
  const times = useTimes()
  const [shown, setShown] = useState<Item>()
  const [isAsking, setAsking] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  if (!may(session, 'owner')) return null
  const run = async (act: () => Promise<Item>): Promise<void> => {
    setAsking(false)
    setError(undefined)
    try {
      setShown(await act())
    } catch (problem) {
      setError(asRefusal(problem))
    }
  }
  const until = shown?.previous_expires_at
  return (
    <section class="part webhook-secret">
      <h2>{say('webhook_secret')}</h2>
      <p class="quiet">{say('webhook_secret_text')}</p>
      {shown && (
        <>
          <code class="secret">{String(shown.secret)}</code>
          {typeof until === 'string' && <p>{say('webhook_secret_until', { time: times.at(until) })}</p>}
        </>
      )}
      <div class="buttons">
        {shown ? (
          <>
            <CopyButton text={String(shown.secret)} label={say('copy')} />
            <button type="button" class="second" onClick={() => setShown(undefined)}>
              {say('webhook_secret_hide')}
            </button>
          </>
        ) : (
          <button
            type="button"
            class="second"
            onClick={() => void run(async () => (await client.GET(SECRET)).data as Item)}
          >
            {say('webhook_secret_show')}
          </button>
        )}
        {isAsking ? (
          <span class="asking" role="alert">
            {say('webhook_secret_asks')}
            <button type="button" onClick={() => void run(() => post(SECRET, {}, undefined, newKey()))}>
              {say('webhook_secret_renew')}
            </button>
            <button type="button" class="second" onClick={() => setAsking(false)}>
              {say('cancel')}
            </button>
          </span>
        ) : (
          <button type="button" class="second" onClick={() => setAsking(true)}>
            {say('webhook_secret_renew')}
          </button>
        )}
      </div>
      {error && <Problem error={error} />}
    </section>
  )
}
