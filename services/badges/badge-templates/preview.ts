import type { Call, Download, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { DesignedBadge } from '../badges/designs.ts'
import type { Dependencies } from '../dependencies.ts'
import { type BadgeLogo, logoIdsOf } from './logos/store.ts'
import type { BadgeTemplate, badgeTemplates } from './resource.ts'

type Actions = (typeof badgeTemplates)['actions']

/** Fonts and PDF are loaded when they are first needed, as by the maker of badges. */
const drawing = async () => ({
  ...(await import('../badges/page.ts')),
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

/** Draws a guest's badge by a template that is not stored, or the usual one: that of the given guest, or else of the one with the longest name. */
export async function draw(
  dependencies: Dependencies,
  { params: { event_id }, body: { is_usual, guest_id, badge_template_id, ...look } }: Call<Actions['draw']>,
): Promise<Output<Actions['draw']>> {
  if (is_usual) return drawUsual(dependencies, event_id, guest_id)
  const stored = badge_template_id === undefined ? null : await dependencies.templates.get(event_id, badge_template_id)
  const template = { _id: '', event_id, name: '', ...look, logo_id: stored?.logo_id ?? null, ...newTimes() }
  const badge = await badgeBy(dependencies, template, guest_id)
  const { sampleContentOf, sizesOf, templatePage, svgOf } = await drawing()
  const content = badge?.content ?? sampleContentOf(template)
  const logo = await logoOf(dependencies, template)
  return { svg: svgOf(templatePage(content, logo)), lines: sizesOf(content, logo), guest_id: badge?.guest._id ?? null }
}

/** Draws the badge of categories without a template, whose texts are always as large as there is room for. */
async function drawUsual(
  dependencies: Dependencies,
  event_id: string,
  given: string | undefined,
): Promise<Output<Actions['draw']>> {
  const guest = await guestOf(dependencies, event_id, given)
  const asUsual = guest ? [{ ...guest, category: { ...guest.category, badge_template_id: null } }] : []
  const [badge] = await dependencies.designs.of(event_id, asUsual)
  const { badgePage, SAMPLE, svgOf } = await drawing()
  return { svg: svgOf(badge?.page ?? badgePage(SAMPLE)), lines: [], guest_id: guest?._id ?? null }
}

async function logoOf({ badgeLogos }: Dependencies, template: BadgeTemplate): Promise<BadgeLogo | undefined> {
  return (await badgeLogos.ofIds(template.event_id, logoIdsOf([template])))[0]
}

/** The badge of a guest, by default the one with the longest name. Undefined if there is no such guest. */
async function badgeBy(
  dependencies: Dependencies,
  template: BadgeTemplate,
  given?: string,
): Promise<DesignedBadge | undefined> {
  const guest = await guestOf(dependencies, template.event_id, given)
  return guest && dependencies.designs.byTemplate(template, guest)
}

/** The given guest, or else the one with the longest name; undefined if there is none. */
async function guestOf({ guests, badgeOrderClient }: Dependencies, event_id: string, given?: string) {
  const guest_id = given ?? (await badgeOrderClient.longest_name({ body: { event_id } })).guest_id
  return guest_id === null ? undefined : guests.printed(event_id, guest_id)
}
