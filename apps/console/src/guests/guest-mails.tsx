import { MailText } from '../mailings/mail-text.tsx'
import type { PageProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { client, type Item } from '../server/server.ts'
import { named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { useTimes } from '../view/times.ts'

const LIST = '/api/v1/events/{event_id}/guests/{guest_id}/mails.json'

/** What was written to a guest, and what became of it: mailings, invitations and reminders (docs/interface.md 19.9). */
export function GuestMails({ params, item }: PageProps & { item: Item }) {
  const { say } = useConsole()
  const times = useTimes()
  const event_id = params.event_id ?? ''
  const guest_id = String(item._id)
  const { value, error, reload } = useLoaded(
    async (signal) => (await client.GET(LIST, { params: { path: { event_id, guest_id } }, signal })).data,
    [guest_id, item.email],
  )
  const names = useNames(['invitation_type_id', 'partner_id'], { event_id })
  return (
    <section>
      <h2>{say('guest_mails')}</h2>
      {error && <Problem error={error} retry={reload} />}
      {value?.length === 0 && <p class="quiet">{say('guest_mails_none')}</p>}
      {value && value.length > 0 && (
        <ul class="check-ins mails">
          {value.map((mail) => {
            const { subject, invitation_type_id, partner_id, mailing_id, answer, opened_at, reason } = mail
            const at = mail.sent_at ?? mail.created_at
            const type = names?.invitation_type_id?.get(invitation_type_id ?? '')
            const title = subject ? <MailText text={subject} guest={item} /> : type
            const partner = names?.partner_id?.get(partner_id ?? '')
            return (
              <li key={mail._id}>
                <time dateTime={at}>{times.at(at)}</time>
                <span>
                  {named(say, 'choice', mail.kind)}
                  {title !== undefined && ': '}
                  {mailing_id ? <a href={hrefOf('events', event_id, 'mailings', mailing_id)}>{title}</a> : title}
                  {partner !== undefined && ` (${say('approvals_from', { partner })})`}
                </span>
                {mail.kind !== 'registration' && (
                  <span class={`mail-${mail.state}`}>
                    {named(say, 'mail', mail.state)}
                    {opened_at && `, ${say('mail_opened', { time: times.at(opened_at) })}`}
                  </span>
                )}
                {answer && <span>{say('mail_answer', { answer: named(say, 'choice', answer) })}</span>}
                {reason && <span class="quiet">{reason}</span>}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
