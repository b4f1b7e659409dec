import type { Item, PathParams } from '../../server/server.ts'
import { nameOf } from '../../view/names.ts'
import { pagesOf } from '../table/selection.ts'

/** By what a row is about a guest who is there; without it each row is a new guest. */
export type MatchBy = '' | 'uid' | 'email'

/** A field that a row changes. */
export interface FieldChange {
  /** The field, or the name of a further information. */
  name: string
  before: string
  after: string
}

/** What a row changes in a guest who is there: nothing, if it has no fields. */
export interface GuestChange {
  _id: string
  uid: string
  name: string
  fields: FieldChange[]
  body: Item
}

/** Fields whose values are lists. */
const METADATA = 'guest_metadata'
const PRIVILEGES = 'access_privileges_attributes'

interface Metadatum {
  name: string
  value: string | null
}

/** The guests of an event by their code or e-mail address. */
export class ExistingGuests {
  readonly by: 'uid' | 'email'
  readonly #guests = new Map<string, Item | 'several'>()

  private constructor(by: 'uid' | 'email') {
    this.by = by
  }

  /** Reads all guests of an event, and says how many it has read. */
  static async read(
    params: PathParams,
    by: 'uid' | 'email',
    onProgress: (count: number) => void,
    signal: AbortSignal,
  ): Promise<ExistingGuests> {
    const existing = new ExistingGuests(by)
    let count = 0
    for await (const page of pagesOf(params, { guest_metadata: true, sort: 'created_at' }, signal)) {
      for (const guest of page) existing.#add(guest)
      count += page.length
      onProgress(count)
    }
    return existing
  }

  /** The guest that a row is about; `several` if more than one has its e-mail address. */
  find(fields: Readonly<Record<string, string>>): Item | 'several' | undefined {
    const value = fields[this.by]
    return value ? this.#guests.get(this.#keyOf(value)) : undefined
  }

  #add(guest: Item): void {
    const value = guest[this.by]
    if (typeof value !== 'string' || value === '') return
    const key = this.#keyOf(value)
    const known = this.#guests.get(key)
    this.#guests.set(key, known && known !== 'several' && known._id === guest._id ? guest : known ? 'several' : guest)
  }

  /** Codes differ by case, addresses do not. */
  #keyOf(value: string): string {
    return this.by === 'email' ? value.toLowerCase() : value
  }
}

/** What the body of a row changes in a guest. Further information is added to what the guest has. */
export function changeOf(guest: Item, body: Item, by: 'uid' | 'email'): GuestChange {
  const fields: FieldChange[] = []
  const changed: Item = {}
  for (const [name, after] of Object.entries(body)) {
    if (name === by) continue
    const parts = name === METADATA ? metadataChanges(guest, after as Metadatum[]) : plainChanges(guest, name, after)
    if (parts.length === 0) continue
    fields.push(...parts)
    changed[name] = name === METADATA ? mergedMetadata(guest, after as Metadatum[]) : after
  }
  return { _id: String(guest._id), uid: String(guest.uid), name: nameOf(guest), fields, body: changed }
}

function plainChanges(guest: Item, name: string, after: unknown): FieldChange[] {
  const shown = name === PRIVILEGES ? 'access_privileges' : name
  const [before, next] = [textOf(guest[shown]), textOf(after)]
  const isSame = before === next || (shown === 'registered_at' && Date.parse(before) === Date.parse(next))
  return isSame ? [] : [{ name: shown, before, after: next }]
}

function metadataChanges(guest: Item, given: readonly Metadatum[]): FieldChange[] {
  return [...valuesOf(given)].flatMap(([name, values]) => {
    const [before, after] = [(valuesOf(metadataOf(guest)).get(name) ?? []).join(', '), values.join(', ')]
    return before === after ? [] : [{ name, before, after }]
  })
}

function mergedMetadata(guest: Item, given: readonly Metadatum[]): Metadatum[] {
  const names = new Set(given.map(({ name }) => name))
  return [...metadataOf(guest).filter(({ name }) => !names.has(name)), ...given]
}

function metadataOf({ [METADATA]: metadata }: Item): Metadatum[] {
  return Array.isArray(metadata) ? metadata : []
}

function valuesOf(metadata: readonly Metadatum[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { name, value } of metadata) found.set(name, [...(found.get(name) ?? []), value ?? ''])
  return found
}

/** A value as a text; objects with their members in order, so that the same ones are equal. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (!Array.isArray(value)) return String(value)
  return value.length === 0
    ? ''
    : JSON.stringify(value.map((each) => Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))))
}
