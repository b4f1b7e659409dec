import type { Call, Download, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { DesignedBadge } from '../badges/designs.ts'
import type { Dependencies } from '../dependencies.ts'
import { type BadgeLogo, logoIdsOf } from './logos/store.ts'
import type { BadgeTemplate, badgeTemplates } from './resource.ts'

type Actions = (typeof badgeTemplates)['actions']

/** Fonts and PDF are loaded when they are first needed, as by the maker of badges. */
const drawing = async () => ({
  ...(await import('../badges/template-page.ts')),
  ...(await import('../badges/pdf.ts')),
  ...(await import('../badges/svg.ts')),
})

/** Draws the badge that a guest would have by a template: the given guest, or else the one with the longest name. */
export async function preview(
  dependencies: Dependencies,
  { params: { event_id, id }, query }: Call<Actions['preview']>,
): Promise<Download> {
  const template = found(await dependencies.templates.get(event_id, id))
  const badge = await badgeBy(dependencies, template, query.guest_id)
  const { sampleContentOf, templatePage, pdfOf } = await drawing()
  // An event without guests has templates too.
  const sample = async () => templatePage(sampleContentOf(template), await logoOf(dependencies, template))
  const page = query.guest_id === undefined && !badge ? await sample() : found(badge).page
  // Equal previews are equal files.
  return { bytes: await pdfOf(page, template.updated_at) }
}

/** Draws a guest's badge by a template that is not stored: that of the given guest, or else of the one with the longest name. */
export async function draw(
  dependencies: Dependencies,
  { params: { event_id }, body: { guest_id, badge_template_id, ...look } }: Call<Actions['draw']>,
): Promise<Output<Actions['draw']>> {
  const stored = badge_template_id === undefined ? null : await dependencies.templates.get(event_id, badge_template_id)
  const template = { _id: '', event_id, name: '', ...look, logo_id: stored?.logo_id ?? null, ...newTimes() }
  const badge = await badgeBy(dependencies, template, guest_id)
  const { sampleContentOf, sizesOf, templatePage, svgOf } = await drawing()
  const content = badge?.content ?? sampleContentOf(template)
  const logo = await logoOf(dependencies, template)
  return { svg: svgOf(templatePage(content, logo)), lines: sizesOf(content, logo), guest_id: badge?.guest._id ?? null }
}

async function logoOf({ badgeLogos }: Dependencies, template: BadgeTemplate): Promise<BadgeLogo | undefined> {
  return (await badgeLogos.ofIds(template.event_id, logoIdsOf([template])))[0]
}

/** The badge of a guest, by default the one with the longest name. Undefined if there is no such guest. */
async function badgeBy(
  { guests, designs, badgeOrderClient }: Dependencies,
  template: BadgeTemplate,
  given?: string,
): Promise<DesignedBadge | undefined> {
  const { event_id } = template
  const guest_id = given ?? (await badgeOrderClient.longest_name({ body: { event_id } })).guest_id
  const guest = guest_id === null ? undefined : await guests.printed(event_id, guest_id)
  return guest && designs.byTemplate(template, guest)
}
