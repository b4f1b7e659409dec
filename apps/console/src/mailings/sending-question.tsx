import type { ItemProps } from '../resources/resource.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { useAudienceCount } from './audience-count.ts'

/** What is asked before a mailing is sent: how many people get it, and how many cannot. */
export function SendingQuestion({ params, item }: ItemProps) {
  const { say } = useConsole()
  const { value, error, reload } = useAudienceCount(params.event_id, item)
  if (error) return <Problem error={error} retry={reload} />
  if (!value) return <span>…</span>
  const { count, is_complete, without_email } = value
  return (
    <span>
      <strong>{say('mailing_not_sent_yet')}</strong>{' '}
      {say(is_complete ? 'mailing_send_asks' : 'mailing_send_asks_more', { count })}{' '}
      {without_email > 0 && `${say('mailing_without_email', { count: without_email })} `}
      {say('mailing_send_is_final')}
    </span>
  )
}
