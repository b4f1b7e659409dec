import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { alsoWrong, type Body, type Handlers, isRejected } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import type { Db } from 'mongodb'
import type { GuestField, guestFields } from './resource.ts'
import { GuestFieldStore } from './store.ts'

const KEY_TAKEN = { key: [messageOf('taken')] }
const NOT_FOR_FILES = { use_in_registration: [messageOf('not_for_files')] }

type GuestFieldBody = Body<(typeof guestFields)['actions']['create']>

/** Handlers of guest fields. */
export async function guestFieldHandlers(db: Db): Promise<Handlers<typeof guestFields>> {
  const store = await prepared(new GuestFieldStore(db))

  /** The error for a key that a field other than `_id` has. */
  async function taken(event_id: string, key: string | undefined, _id?: string): Promise<FieldErrors> {
    const fields = key === undefined ? [] : await store.ofEvent(event_id)
    return fields.some((field) => field.key === key && field._id !== _id) ? KEY_TAKEN : {}
  }

  return {
    list: async ({ params }) => store.ofEvent(params.event_id),
    read: async ({ params }) => found(await store.get(params.event_id, params.id)),

    async create({ params, body: given, accept, newId }) {
      const body = await accept(registrationErrors(given), () => taken(params.event_id, given.key))
      return unlessTaken(await store.insert(newField(newId(), params.event_id, body)))
    },

    async batch_create({ params, body, newId }) {
      // Refused items take an id too, so that each item has the same id in a retry.
      const items = body.map((item) => {
        const _id = newId()
        if (isRejected(item)) return item
        const errors = registrationErrors(item)
        return Object.keys(errors).length > 0 ? { errors, given: item } : newField(_id, params.event_id, item)
      })
      const firsts = new Map<string, GuestField>()
      for (const item of items) {
        if (!isRejected(item) && !firsts.has(item.key)) firsts.set(item.key, item)
      }
      const stored = await store.insertMany([...firsts.values()])
      const refused = items.filter(isRejected)
      const keys =
        refused.length > 0 ? new Set((await store.ofEvent(params.event_id)).map(({ key }) => key)) : new Set()
      return items.map((item) => {
        if (!isRejected(item)) return stored.get(item._id) ?? { errors: KEY_TAKEN }
        return keys.has(item.given?.key) ? alsoWrong(item, KEY_TAKEN) : item
      })
    },

    async update({ params, body: given, accept }) {
      const current = found(await store.get(params.event_id, params.id))
      const errors = registrationErrors({ ...current, ...given })
      const body = await accept(errors, () => taken(params.event_id, given.key, params.id))
      const label = body.label === undefined ? {} : { label: labelOf({ ...current, ...body }) }
      const changed = await store.update(params.event_id, params.id, { ...body, ...label })
      return found(unlessTaken(changed))
    },
  }
}

/** The error of a file that is to be asked for: the page of an invitation takes none. */
function registrationErrors({ type, use_in_registration }: Partial<GuestFieldBody>): FieldErrors {
  return type === 'file' && use_in_registration ? NOT_FOR_FILES : {}
}

function newField(_id: string, event_id: string, body: GuestFieldBody): GuestField {
  return { _id, ...body, label: labelOf(body), object_id: event_id, event_id, ...newTimes() }
}

function labelOf({ key, label }: { key: string; label: string | null }): string {
  return label?.trim() ? label : key
}

function unlessTaken<T>(field: T | undefined): T {
  if (field === undefined) throw invalid(KEY_TAKEN)
  return field
}
