import { invalid, notFound } from '@gatehouse/proto/faults.ts'
import { type Call, type Handlers, isRejected } from '@gatehouse/proto/resource.ts'
import type { GuestField, guestFields } from './resource.ts'
import type { GuestFieldStore } from './store.ts'

const KEY_TAKEN = { key: ['has already been taken'] }

type Body = Call<(typeof guestFields)['actions']['create']>['body']

/** What guest fields do and refuse. */
export function guestFieldHandlers(store: GuestFieldStore): Handlers<typeof guestFields> {
  return {
    async list({ params }) {
      return store.ofEvent(params.event_id)
    },

    async read({ params }) {
      return found(await store.get(params.event_id, params.id))
    },

    async create({ params, body, newId }) {
      return unlessTaken(await store.insert(newField(newId(), params.event_id, body)))
    },

    async batch_create({ params, body, newId }) {
      // Every item takes an id, so that a retry gives each item the id it had.
      const items = body.map((item) => {
        const _id = newId()
        return isRejected(item) ? item : newField(_id, params.event_id, item)
      })
      const firsts = new Map<string, GuestField>()
      for (const item of items) {
        if (!isRejected(item) && !firsts.has(item.key)) firsts.set(item.key, item)
      }
      const stored = await store.insertMany(params.event_id, [...firsts.values()])
      return items.map((item) => (isRejected(item) ? item : (stored.get(item._id) ?? { errors: KEY_TAKEN })))
    },

    async update({ params, body }) {
      const current = found(await store.get(params.event_id, params.id))
      const label = body.label === undefined ? {} : { label: labelOf({ ...current, ...body }) }
      const changed = await store.update(params.event_id, params.id, { ...body, ...label })
      return found(unlessTaken(changed))
    },
  }
}

function newField(_id: string, event_id: string, body: Body): GuestField {
  const now = new Date()
  return { _id, ...body, label: labelOf(body), object_id: event_id, event_id, created_at: now, updated_at: now }
}

function labelOf({ key, label }: { key: string; label: string | null }): string {
  return label?.trim() ? label : key
}

function found(field: GuestField | null): GuestField {
  if (!field) throw notFound()
  return field
}

function unlessTaken<T>(field: T | undefined): T {
  if (field === undefined) throw invalid(KEY_TAKEN)
  return field
}
