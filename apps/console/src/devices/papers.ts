/** A badge template, as far as its paper goes. */
export interface TemplateSize {
  _id: string
  name: string
  width_mm: number
  height_mm: number
}

/** What says which badges are printed where. */
export interface Printing<Template extends TemplateSize = TemplateSize> {
  categories: readonly { _id: string; name: string; badge_enabled: boolean; badge_template_id?: string | null }[]
  templates: readonly Template[]
  /** The rights: which category may enter at which check-in point. */
  links: readonly { guest_category_id: string; accesspoint_id: string }[]
}

/** A kind of badge that a station prints. */
export interface Paper<Template extends TemplateSize = TemplateSize> {
  /** Undefined is the usual badge, which categories without a template have. */
  template: Template | undefined
  size: string
  /** The names of the categories whose guests get it, and their ids. */
  categories: string[]
  category_ids: string[]
  /** Those among them that have no badges otherwise. */
  withoutBadges: string[]
}

/** Of the usual badge: A6 (docs/print-station.md). */
export const USUAL = { width_mm: 105, height_mm: 148 }

/** The badges of guests who may enter at some check-in points, or at any where none is named. */
export function papersAt<Template extends TemplateSize>(
  points: readonly string[],
  { categories, templates, links }: Printing<Template>,
): Paper<Template>[] {
  const there = links.filter(({ accesspoint_id }) => points.length === 0 || points.includes(accesspoint_id))
  const entering = new Set(there.map(({ guest_category_id }) => guest_category_id))
  const papers = new Map<string | undefined, Paper<Template>>()
  for (const { _id, name, badge_enabled, badge_template_id } of categories) {
    if (!entering.has(_id)) continue
    const template = badge_enabled ? templates.find((each) => each._id === badge_template_id) : undefined
    const paper = papers.get(template?._id) ?? {
      ...{ template, size: sizeOf(template ?? USUAL) },
      ...{ categories: [], category_ids: [], withoutBadges: [] },
    }
    paper.categories.push(name)
    paper.category_ids.push(_id)
    if (!badge_enabled) paper.withoutBadges.push(name)
    papers.set(template?._id, paper)
  }
  return [...papers.values()]
}

/** The sizes of paper that these badges need, each once. */
export function sizesOf(papers: readonly Paper[]): string[] {
  return [...new Set(papers.map(({ size }) => size))]
}

/** The size of badges in words. */
export function sizeOf({ width_mm, height_mm }: Pick<TemplateSize, 'width_mm' | 'height_mm'>): string {
  return `${width_mm}\u00a0×\u00a0${height_mm}\u00a0mm`
}
