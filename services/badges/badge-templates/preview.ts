import type { Call, Download } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { badgeTemplates } from './resource.ts'

/** Fonts and PDF are loaded when they are first needed, as by the maker of badges. */
const drawing = async () => ({ ...(await import('../badges/template-page.ts')), ...(await import('../badges/pdf.ts')) })

/** Draws the badge that a guest would have by a template: the given guest, or else the one with the longest name. */
export async function preview(
  { templates, guests, designs, badgeOrderClient }: Dependencies,
  { params: { event_id, id }, query }: Call<typeof badgeTemplates.actions.preview>,
): Promise<Download> {
  const template = found(await templates.get(event_id, id))
  const guest_id = query.guest_id ?? (await badgeOrderClient.longest_name({ body: { event_id } })).guest_id
  const guest = guest_id === null ? undefined : await guests.printed(event_id, guest_id)
  const badge = guest && (await designs.byTemplate(template, guest))
  const { sampleContentOf, templatePage, pdfOf } = await drawing()
  // An event without guests has templates too.
  const page = query.guest_id === undefined && !badge ? templatePage(sampleContentOf(template)) : found(badge).page
  // Equal previews are equal files.
  return { bytes: await pdfOf(page, template.updated_at) }
}
