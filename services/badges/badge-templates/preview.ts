import type { Call, Download } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { contentOf } from '../qr-codes/content.ts'
import type { badgeTemplates } from './resource.ts'
import type { StoredTemplate } from './store.ts'

/** Fonts and PDF are loaded when they are first needed, as by the maker of badges. */
const drawing = () => import('../badges/template-page.ts')

/** Draws the badge that a guest would have by a template: the given guest, or else the one with the longest name. */
export async function preview(
  dependencies: Dependencies,
  { params: { event_id, id }, query }: Call<typeof badgeTemplates.actions.preview>,
): Promise<Download> {
  const { templates, badgeOrderClient } = dependencies
  const template = found(await templates.get(event_id, id))
  const guest_id = query.guest_id ?? (await badgeOrderClient.longest_name({ body: { event_id } })).guest_id
  const content = guest_id === null ? undefined : await contentFor(dependencies, template, guest_id)
  const { drawTemplateBadge, sampleContentOf } = await drawing()
  // An event without guests has templates too.
  const shown = query.guest_id === undefined ? (content ?? sampleContentOf(template)) : found(content)
  // Equal previews are equal files.
  return { bytes: await drawTemplateBadge(shown, template.updated_at) }
}

/** The content of a guest's badge; undefined if the event has no such guest. */
async function contentFor({ guests, badgeOrderClient }: Dependencies, template: StoredTemplate, guest_id: string) {
  const { event_id } = template
  const guest = await guests.printed(event_id, guest_id)
  if (!guest) return undefined
  const { metadataNamesOf, templateContentOf } = await drawing()
  const names = metadataNamesOf(template)
  const [ciphering, found] = await Promise.all([
    guests.ciphering(event_id),
    names.length > 0 ? badgeOrderClient.metadata({ body: { event_id, ids: [guest_id], names } }) : [],
  ])
  const metadata = new Map(
    found.flatMap((each) => each.guest_metadata.map(({ name, value }) => [name, value] as const)),
  )
  return templateContentOf(template, guest, metadata, template.shows_qr_code ? contentOf(guest, ciphering) : null)
}
