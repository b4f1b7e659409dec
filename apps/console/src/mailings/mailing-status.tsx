import type { Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useTimes } from '../view/times.ts'

/** How far a mailing is, below its name. */
export function MailingStatus({ item }: { item: Item }) {
  return (
    <p class="status">
      <MailingState item={item} />
    </p>
  )
}

/** How far a mailing is: not sent, planned, being sent, paused or sent. */
export function MailingState({ item }: { item: Item }) {
  const { say } = useConsole()
  const { at } = useTimes()
  const { started_at, paused_at, is_sent, send_at, nb_recipients, nb_email_sent } = item
  const counts = { sent: String(nb_email_sent), all: String(nb_recipients) }
  const words = (): string => {
    if (started_at === null) return say('mailing_is_draft')
    if (is_sent) return say('mailing_is_sent', counts)
    if (paused_at !== null) return say('mailing_is_paused', counts)
    if (typeof send_at === 'string' && new Date(send_at) > new Date())
      return say('mailing_is_planned', { time: at(send_at) })
    return nb_recipients === 0 ? say('mailing_is_preparing') : say('mailing_is_sending', counts)
  }
  return <>{words()}</>
}
