import { createHmac } from 'node:crypto'
import type { Document, Filter, UpdateFilter } from 'mongodb'
import { isLeftOut, isNullable, kindOf, type SchemaNode } from '../declaring/fields.ts'
import type { Person, PersonalDocuments, Subject } from '../declaring/personal-data.ts'
import { escapeText } from '../formats/xml-text.ts'

/** A stored document. */
export interface Stored extends Document {
  _id: string
}

/** Texts that begin so stand in the place of erased ones. */
const ERASED = 'erased-'
/** Finds texts that stand in the place of erased ones. */
export const ERASED_PATTERN = `^${ERASED}`

/**
 * What stands in the place of an erased uid or address. Under one key it is always the same for the same text, so that a guest and its
 * check-ins stay together. Once the key is deleted nobody can tell whose they were.
 */
export function pseudonymOf(text: string, key: string): string {
  if (isErased(text)) return text
  return ERASED + createHmac('sha256', key).update(text).digest('hex').slice(0, 24)
}

/** Whether a text stands in the place of an erased one. */
export function isErased(text: string): boolean {
  return text.startsWith(ERASED)
}

/** How documents of one kind are found and blanked: their declaration says it. */
export class Blanking {
  readonly #declared: PersonalDocuments
  readonly #personal: [name: string, schema: SchemaNode][]

  constructor(declared: PersonalDocuments) {
    this.#declared = declared
    const all = Object.entries({ ...declared.fields, ...declared.hidden }) as [string, SchemaNode][]
    this.#personal = all.filter(([, schema]) => schema.personal !== undefined)
  }

  /** The event or account in which documents of a subject are. */
  within(subject: Subject): Filter<Stored> {
    return Object.fromEntries(this.#declared.scope.map((field) => [field, subject[field]]))
  }

  /** The documents of a subject; undefined if there can be none. */
  filterOf(subject: Subject): Filter<Stored> | undefined {
    const { scope, partOf } = this.#declared
    const within = this.within(subject)
    const { person, with_account } = subject
    if (!scope.includes('event_id') && !(person && with_account)) return undefined
    if (!person) return partOf === undefined ? within : undefined
    const of = this.#personal.flatMap(([name, schema]) => matching(name, schema, person))
    return of.length > 0 ? { ...within, $or: of } : undefined
  }

  /** Those of them that an erasure has not blanked yet. */
  unerased(subject: Subject): Filter<Stored> | undefined {
    const filter = this.filterOf(subject)
    if (!filter || this.#declared.outcome !== 'blanked') return filter
    return { $and: [filter, { $or: this.#personal.flatMap(([name, schema]) => this.#isFilled(name, schema)) }] }
  }

  /** The fields that blanking reads. */
  get projection(): Record<string, 1> {
    return Object.fromEntries(this.#personal.filter(([, schema]) => isPseudonymous(schema)).map(([name]) => [name, 1]))
  }

  /** The change that blanks a document. */
  changeOf(document: Stored, key: string): UpdateFilter<Stored> {
    const $set: Record<string, unknown> = {}
    const $unset: Record<string, ''> = {}
    for (const [name, schema] of this.#personal) {
      const value = document[name]
      const blanks = this.#declared.blanks ?? {}
      if (isReference(schema)) continue
      if (name in blanks) $set[name] = blanks[name]
      else if (isPseudonymous(schema)) $set[name] = pseudonymOf(String(value ?? ''), key)
      else if (isLeftOut(schema)) $unset[name] = ''
      else $set[name] = blankOf(schema)
    }
    return { $set, ...(Object.keys($unset).length > 0 && { $unset }) } as UpdateFilter<Stored>
  }

  #isFilled(name: string, schema: SchemaNode): Filter<Stored>[] {
    if (isReference(schema) || name in (this.#declared.blanks ?? {})) return []
    if (isPseudonymous(schema)) return [{ [name]: { $not: { $regex: ERASED_PATTERN } } }]
    if (isLeftOut(schema)) return [{ [name]: { $exists: true } }]
    if (kindOf(schema) === 'array') return [{ [`${name}.0`]: { $exists: true } }]
    // A document older than a nullable field lacks it, and equals null.
    return [{ [name]: { $ne: blankOf(schema) } }]
  }
}

/** An `_id`, which does not identify the person once that is erased. */
function isReference({ personal }: SchemaNode): boolean {
  return personal === 'guest_id' || personal === 'contact_id'
}

/** A text that says whose a document is, and may not be null. */
function isPseudonymous(schema: SchemaNode): boolean {
  const { personal } = schema
  return (personal === 'guest_uid' || personal === 'email' || personal === 'typed_email') && !isNullable(schema)
}

function blankOf(schema: SchemaNode): unknown {
  if (isNullable(schema)) return null
  const kind = kindOf(schema)
  if (kind === 'array') return []
  return kind === 'object' ? {} : ''
}

function matching(name: string, { personal }: SchemaNode, person: Person): Filter<Stored>[] {
  const { guest_ids, guest_uids, contact_ids = [], emails } = person
  if (personal === 'guest_id') return among(name, guest_ids)
  if (personal === 'guest_uid') return among(name, guest_uids)
  if (personal === 'contact_id') return among(name, contact_ids)
  if (personal === 'email') return among(name, emails)
  if (personal === 'typed_email') return inAnyCase(name, emails)
  if (personal !== 'mention') return []
  return [...mentioning(name, guest_uids), ...mentioning(name, emails, 'i'), ...mentioningUnerased(name, guest_ids)]
}

/** Texts in which values stand as they stand in JSON, or in XML. */
function mentioning(name: string, values: string[], $options?: 'i'): Filter<Stored>[] {
  const mentioned = values.flatMap((text) => [JSON.stringify(text), `>${escapeText(text)}<`]).map(RegExp.escape)
  return mentioned.length > 0 ? [{ [name]: { $regex: mentioned.join('|'), ...($options && { $options }) } }] : []
}

/** The same for `_id`s: texts may tell of a guest who had another uid or address then. What is left of a guest still has its `_id`. */
function mentioningUnerased(name: string, ids: string[]): Filter<Stored>[] {
  const ofErased = { [name]: { $not: { $regex: `[">]${ERASED}` } } } as Filter<Stored>
  return mentioning(name, ids).map((found) => ({ $and: [found, ofErased] }))
}

function inAnyCase(name: string, values: string[]): Filter<Stored>[] {
  if (values.length === 0) return []
  return [{ [name]: { $regex: `^(?:${values.map(RegExp.escape).join('|')})$`, $options: 'i' } }]
}

function among(name: string, values: string[]): Filter<Stored>[] {
  return values.length > 0 ? [{ [name]: { $in: values } }] : []
}
