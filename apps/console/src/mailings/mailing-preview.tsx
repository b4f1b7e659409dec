import type { PageProps } from '../resources/resource.ts'
import { type Item, newKey, post } from '../server/server.ts'
import { MailPreview } from './mail-preview.tsx'

const PREVIEW = '/api/v1/events/{event_id}/mailings/{id}/preview.json'

/** What the e-mail of a mailing says. */
export function MailingPreview({ params, item }: PageProps & { item: Item }) {
  const id = String(item._id)
  return (
    <MailPreview
      read={() => post(PREVIEW, { ...params, id }, {}, newKey())}
      page={`api/v1/events/${params.event_id}/mailings/${id}/preview.html`}
      version={String(item.updated_at)}
    />
  )
}
