import type { PageProps } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { MailingAudience } from './mailing-audience.tsx'
import { MailingPreview } from './mailing-preview.tsx'
import { TestMailing } from './test-mailing.tsx'

const FIELDS = '{{first_name}}, {{last_name}}, {{company_name}}, {{event_title}}'
const MORE = '{{qrcode}}, {{badge}}, {{calendar}}'

/** What the page of a mailing has below its form. */
export function MailingDetails(props: PageProps & { item: Item }) {
  const { say, session } = useConsole()
  const mayChange = may(session, 'organizer')
  return (
    <>
      <p class="quiet">{say('mailing_placeholders', { fields: FIELDS, more: MORE })}</p>
      {mayChange && <MailingAudience {...props} />}
      {mayChange && <MailingPreview {...props} />}
      {mayChange && <TestMailing {...props} />}
    </>
  )
}
