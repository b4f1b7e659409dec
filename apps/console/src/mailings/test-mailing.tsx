import { useState } from 'preact/hooks'
import type { paths } from '../../../../clients/typescript/openapi.ts'
import type { BesideProps } from '../resources/resource.ts'
import { asRefusal, type GatehouseError, newKey, post } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'

interface Props extends BesideProps {
  /** What sends it. */
  path: keyof paths
}

/** Sends an e-mail as it is typed as a test, to whoever is signed in unless another address is typed. */
export function TestMailing({ params, item, values, path }: Props) {
  const { say, session } = useConsole()
  const [email, setEmail] = useState(session.staff_member.email)
  const [state, setState] = useState<'open' | 'sending' | 'sent'>('open')
  const [error, setError] = useState<GatehouseError>()
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setState('sending')
    setError(undefined)
    try {
      const { subject, message, sender_name } = values ?? {}
      await post(path, { ...params, id: String(item._id) }, { email, subject, message, sender_name }, newKey())
      setState('sent')
    } catch (problem) {
      setError(asRefusal(problem))
      setState('open')
    }
  }
  return (
    <form class="form" onSubmit={(event) => void send(event)}>
      <label class="field">
        <span>{say('mailing_test_to')}</span>
        <input type="email" required value={email} onInput={({ currentTarget }) => setEmail(currentTarget.value)} />
      </label>
      {error && <Problem error={error} />}
      <div class="buttons">
        <button type="submit" class="second" disabled={state === 'sending'}>
          {say('mailing_test')}
        </button>
        <output class="quiet">{state === 'sent' && say('mailing_test_sent', { email })}</output>
      </div>
    </form>
  )
}
