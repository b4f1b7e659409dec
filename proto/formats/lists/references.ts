import { type Message, messageOf } from '../../declaring/messages.ts'
import { foldReference } from './values.ts'

/** Something of an event that a list names. */
export interface Named {
  _id: string
  name: string
}

/** The reference of a cell, or the reason why it has none. */
export type Resolved<T> = { value: T } | { problem: Message }

/** The categories and check-in points of an event, by name (whatever its case, width and blanks) or id. */
export class References {
  /** Names of missing categories, if they are to be created. */
  readonly missing = new Map<string, string>()
  readonly #categories: readonly Named[]
  readonly #accesspoints: readonly Named[]
  readonly #fallback: string | undefined
  readonly #createMissing: boolean

  /** `fallback` is the category, by name or id, of rows without one; default: the event's only category. */
  constructor(
    categories: readonly Named[],
    accesspoints: readonly Named[],
    { fallback, createMissing = false }: { fallback?: string | undefined; createMissing?: boolean | undefined } = {},
  ) {
    this.#categories = categories
    this.#accesspoints = accesspoints
    this.#fallback = fallback ?? (categories.length === 1 ? categories[0]?._id : undefined)
    this.#createMissing = createMissing
  }

  /** The id of the category that a row names, first by an id of this event; the name of a category that is still to be created. */
  category({ guest_category: name, guest_category_id: id }: Record<string, string>): Resolved<string> {
    const isHere = id !== undefined && this.#categories.some(({ _id }) => _id === id)
    const wanted = (isHere ? id : (name ?? id)) ?? this.#fallback
    if (!wanted) return { problem: messageOf('category_required') }
    const found = find(this.#categories, wanted)
    if (found.length > 1) return { problem: messageOf('ambiguous_name', { name: wanted }) }
    if (found[0]) return { value: found[0]._id }
    if (!this.#createMissing) return { problem: messageOf('unknown_category', { name: wanted }) }
    const folded = foldReference(wanted)
    const missing = this.missing.get(folded) ?? wanted
    this.missing.set(folded, missing)
    return { value: missing }
  }

  /** The privileges in a cell, as an export writes them: JSON `[{"accesspoint": "Main entrance", "access_once": true}]`. */
  privileges(cell: string): Resolved<{ accesspoint_id: string; access_once: boolean }[]> {
    const listed = readList(cell)
    if (!listed) return { problem: messageOf('invalid_privileges') }
    const privileges = []
    for (const { accesspoint, access_once = false } of listed) {
      const found = find(this.#accesspoints, accesspoint)
      if (found.length > 1) return { problem: messageOf('ambiguous_name', { name: accesspoint }) }
      if (!found[0]) return { problem: messageOf('unknown_accesspoint', { name: accesspoint }) }
      privileges.push({ access_once, accesspoint_id: found[0]._id })
    }
    return { value: privileges }
  }
}

function find<T extends Named>(things: readonly T[], wanted: string): T[] {
  const byId = things.filter(({ _id }) => _id === wanted)
  return byId.length > 0 ? byId : things.filter(({ name }) => foldReference(name) === foldReference(wanted))
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
