import type { PreviewProps } from '../resources/resource.ts'
import { client } from '../server/server.ts'
import { MailPreview } from './mail-preview.tsx'

const PREVIEW = '/api/v1/events/{event_id}/mailings/preview.json'

/** What the e-mail of a mailing says, as it is typed. */
export function MailingPreview({ params: { event_id = '' }, item, values }: PreviewProps) {
  const { invitation_type_id = null } = (item?.audience ?? {}) as { invitation_type_id?: string | null }
  const body = { subject: String(values.subject), message: String(values.message), invitation_type_id }
  return (
    <MailPreview
      ask={async (signal) => (await client.POST(PREVIEW, { params: { path: { event_id } }, body, signal })).data}
      typed={body}
    />
  )
}
