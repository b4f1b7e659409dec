import type { PageProps } from '../resources/resource.ts'
import { type Item, read } from '../server/server.ts'
import { MailPreview } from './mail-preview.tsx'

const PREVIEW = '/api/v1/events/{event_id}/invitation_types/{id}/preview.json'

/** What the e-mail of an invitation type says. */
export function InvitationPreview({ params, item }: PageProps & { item: Item }) {
  const id = String(item._id)
  return (
    <MailPreview
      read={() => read<Item>(PREVIEW, { ...params, id })}
      page={`api/v1/events/${params.event_id}/invitation_types/${id}/preview.html`}
      version={String(item.updated_at)}
    />
  )
}
