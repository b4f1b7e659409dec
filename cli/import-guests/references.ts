import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import type { accesspoints, guestCategories } from '../permissions.ts'

type Category = Pick<Output<(typeof guestCategories)['actions']['list']>[number], '_id' | 'name'>
type NamedPoint = Pick<Output<(typeof accesspoints)['actions']['list']>[number], '_id' | 'name'>

/** The reference of a cell, or the reason why it has none. */
export type Resolved<T> = { value: T } | { problem: string }

/** The categories and check-in points of an event, by name (case-insensitive) or id. */
export class References {
  /** Names of missing categories, if they are to be created. */
  readonly missing = new Map<string, string>()
  readonly #categories: Category[]
  readonly #accesspoints: NamedPoint[]
  readonly #fallback: string | undefined
  readonly #createMissing: boolean

  /** `fallback` is the category, by name or id, of rows without one; default: the event's only category. */
  constructor(
    categories: Category[],
    accesspoints: NamedPoint[],
    { fallback, createMissing = false }: { fallback?: string | undefined; createMissing?: boolean | undefined } = {},
  ) {
    this.#categories = categories
    this.#accesspoints = accesspoints
    this.#fallback = fallback ?? (categories.length === 1 ? categories[0]?._id : undefined)
    this.#createMissing = createMissing
  }

  /** The id of the category that a cell names; the name of a category that is still to be created. */
  category(cell: string): Resolved<string> {
    const wanted = cell || this.#fallback
    if (!wanted) return { problem: 'It has no guest category, and the event has no single one: see --category' }
    const found = find(this.#categories, wanted)
    if (found.length > 1) return { problem: `Several guest categories are called "${wanted}": use the id` }
    if (found[0]) return { value: found[0]._id }
    if (!this.#createMissing) return { problem: `There is no guest category "${wanted}"` }
    const name = this.missing.get(fold(wanted)) ?? wanted
    this.missing.set(fold(wanted), name)
    return { value: name }
  }

  /** The privileges in a cell, as an export writes them: JSON `[{"accesspoint": "Main entrance", "access_once": true}]`. */
  privileges(cell: string): Resolved<{ accesspoint_id: string; access_once: boolean }[]> {
    const listed = readList(cell)
    if (!listed) return { problem: 'The access privileges are not a JSON list of {"accesspoint", "access_once"}' }
    const privileges = []
    for (const { accesspoint, access_once = false } of listed) {
      const found = find(this.#accesspoints, accesspoint)
      if (found.length > 1) return { problem: `Several check-in points are called "${accesspoint}": use the id` }
      if (!found[0]) return { problem: `There is no check-in point "${accesspoint}"` }
      privileges.push({ access_once, accesspoint_id: found[0]._id })
    }
    return { value: privileges }
  }
}

function find<T extends { _id: string; name: string }>(things: T[], wanted: string): T[] {
  const byId = things.filter(({ _id }) => _id === wanted)
  return byId.length > 0 ? byId : things.filter(({ name }) => fold(name) === fold(wanted))
}

function fold(name: string): string {
  return name.trim().normalize('NFC').toLowerCase()
}

function readList(cell: string): { accesspoint: string; access_once?: boolean }[] | undefined {
  try {
    const listed: unknown = JSON.parse(cell)
    return Array.isArray(listed) && listed.every(isPrivilege) ? listed : undefined
  } catch {
    return undefined
  }
}

function isPrivilege(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  const { accesspoint, access_once } = item as Record<string, unknown>
  return typeof accesspoint === 'string' && (access_once === undefined || typeof access_once === 'boolean')
}
