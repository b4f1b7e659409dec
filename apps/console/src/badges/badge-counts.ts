import { sizeOf, USUAL } from '../devices/papers.ts'

/** What says how many badges there are, and of which size. */
interface Counted {
  categories: readonly { _id: string; badge_enabled: boolean; badge_template_id?: string | null }[]
  templates: readonly { _id: string; width_mm: number; height_mm: number }[]
  /** Guests of each category. */
  counts: readonly { guest_category_id: string; guest_count: number; checked_in_guest_count: number }[]
}

/** How many badges there are of a template; those of no template have the usual design. */
export interface BadgeCount {
  template_id: string | undefined
  size: string
  count: number
}

/** The badges of the guests that filters find, by template. */
export function badgeCounts(
  { categories, templates, counts }: Counted,
  { category = '', checked_in = '' }: Readonly<Record<string, string>> = {},
): BadgeCount[] {
  const found = new Map<string | undefined, BadgeCount>()
  for (const { _id, badge_enabled, badge_template_id } of categories) {
    if (!badge_enabled || (category !== '' && category !== _id)) continue
    const template = templates.find((each) => each._id === badge_template_id)
    const { guest_count = 0, checked_in_guest_count = 0 } = counts.find((each) => each.guest_category_id === _id) ?? {}
    const those = { '': guest_count, true: checked_in_guest_count, false: guest_count - checked_in_guest_count }
    const { count = 0 } = found.get(template?._id) ?? {}
    const own = those[checked_in as keyof typeof those] ?? guest_count
    found.set(template?._id, { template_id: template?._id, size: sizeOf(template ?? USUAL), count: count + own })
  }
  return [...found.values()]
}

/** How many badges there are of each size, the most first. */
export function bySize(badges: readonly BadgeCount[]): [size: string, count: number][] {
  const sizes = new Map<string, number>()
  for (const { size, count } of badges) if (count > 0) sizes.set(size, (sizes.get(size) ?? 0) + count)
  return [...sizes].sort(([, one], [, other]) => other - one)
}
