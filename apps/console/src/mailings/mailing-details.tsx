import type { PageProps } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { MailingAudience } from './mailing-audience.tsx'
import { MailingPreview } from './mailing-preview.tsx'
import { TestMailing } from './test-mailing.tsx'

const FIELDS = '{{first_name}}, {{last_name}}, {{company_name}}, {{event_title}}'
const MORE = '{{qrcode}}, {{wallet}}, {{badge}}, {{calendar}}'

/** What the page of a mailing has below its form. */
export function MailingDetails(props: PageProps & { item: Item }) {
  const { say } = useConsole()
  const mayChange = useMayChange()('organizer')
  return (
    <>
      <p class="quiet">{say('mailing_placeholders', { fields: FIELDS, more: MORE })}</p>
      {mayChange && <MailingAudience {...props} />}
      {mayChange && <MailingPreview {...props} />}
      {mayChange && <TestMailing {...props} path="/api/v1/events/{event_id}/mailings/{id}/test_send.json" />}
    </>
  )
}
