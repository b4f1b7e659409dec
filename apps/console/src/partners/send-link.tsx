import { useState } from 'preact/hooks'
import type { paths } from '../../../../clients/typescript/openapi.ts'
import { asRefusal, type GatehouseError, newKey, type PathParams, post } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'

interface Props {
  path: keyof paths
  params: PathParams
  /** That of the partner; empty if it has none. */
  email: string
  /** Whether it is what is usually done next. */
  isMain: boolean
  onSent: () => void
}

/** Sends a partner a link to its page, at the partner's address unless another one is typed. */
export function SendLink({ path, params, email: known, isMain, onSent }: Props) {
  const { say } = useConsole()
  const [email, setEmail] = useState(known)
  const [key, setKey] = useState(newKey)
  const [isSending, setSending] = useState(false)
  const [sentTo, setSentTo] = useState<string>()
  const [error, setError] = useState<GatehouseError>()
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setSending(true)
    setError(undefined)
    setSentTo(undefined)
    try {
      await post(path, params, { email }, key)
      setSentTo(email)
      onSent()
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setKey(newKey())
    setSending(false)
  }
  return (
    <form class="buttons send-link" onSubmit={(event) => void send(event)}>
      <label class="field">
        <span>{say('partner_link_to')}</span>
        <input type="email" required value={email} onInput={({ currentTarget }) => setEmail(currentTarget.value)} />
      </label>
      <button type="submit" class={isMain ? '' : 'second'} disabled={isSending}>
        {say('partner_link_send')}
      </button>
      <output class="quiet">{sentTo !== undefined && say('mailing_test_sent', { email: sentTo })}</output>
      {error && <Problem error={error} />}
    </form>
  )
}
