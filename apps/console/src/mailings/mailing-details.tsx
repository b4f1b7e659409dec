import type { BesideProps } from '../resources/resource.ts'
import { useMayChange } from '../view/event.ts'
import { MailingAudience, SentAudience } from './mailing-audience.tsx'
import { TestMailing } from './test-mailing.tsx'

/** What the page of a mailing has beside its form. */
export function MailingDetails(props: BesideProps) {
  const mayChange = useMayChange()('organizer')
  if (!mayChange) return null
  if (props.item.is_sent === true) return <SentAudience {...props} />
  return (
    <>
      <MailingAudience {...props} />
      <TestMailing {...props} path="/api/v1/events/{event_id}/mailings/{id}/test_send.json" />
    </>
  )
}
