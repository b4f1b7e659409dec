import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import { unbound } from '../../callers.ts'
import * as topics from '../../topics.ts'
import { reservedKeys } from '../contacts/resource.ts'
import type { ContactStore } from '../contacts/store.ts'
import type { contactFields } from './resource.ts'
import type { ContactFieldStore } from './store.ts'

const KEY_TAKEN = { key: [messageOf('taken')] }

/** The handlers of contact fields. */
export function contactFieldHandlers(
  store: ContactFieldStore,
  contacts: ContactStore,
  bus: Bus,
): Handlers<typeof contactFields> {
  /** The error for a key that a field other than `_id` has. */
  async function taken(account_id: string, key: string | undefined, _id: string): Promise<FieldErrors> {
    const fields = key === undefined ? [] : await store.ofAccount(account_id)
    return fields.some((field) => field.key === key && field._id !== _id) ? KEY_TAKEN : {}
  }

  return {
    async list({ caller }) {
      return store.ofAccount(unbound(caller).account_id)
    },

    async read({ params, caller }) {
      return found(await store.get(unbound(caller).account_id, params.id))
    },

    async create({ body: given, accept, caller, newId }) {
      const { account_id } = unbound(caller)
      const _id = newId()
      const body = await accept(errorsOf(given.key), () => taken(account_id, given.key, _id))
      const field = { _id, ...body, label: labelOf(body), account_id, ...newTimes() }
      return unlessTaken(await bus.announcing(topics.contactFields, account_id, store.insert(field)))
    },

    async update({ params, body: given, accept, caller }) {
      const { account_id } = unbound(caller)
      const current = found(await store.get(account_id, params.id))
      const body = await accept(errorsOf(given.key), () => taken(account_id, given.key, params.id))
      const label = body.label === undefined ? {} : { label: labelOf({ ...current, ...body }) }
      return found(
        unlessTaken(
          await bus.announcing(
            topics.contactFields,
            account_id,
            store.update(account_id, params.id, { ...body, ...label }),
          ),
        ),
      )
    },

    async delete({ params, caller }) {
      const { account_id } = unbound(caller)
      const field = found(await bus.announcing(topics.contactFields, account_id, store.delete(account_id, params.id)))
      await contacts.removeField(account_id, field._id)
      return field
    },
  }
}

function errorsOf(key: string | undefined): FieldErrors {
  return key !== undefined && reservedKeys.has(key) ? { key: [messageOf('reserved')] } : {}
}

function labelOf({ key, label }: { key: string; label: string | null }): string {
  return label?.trim() ? label : key
}

function unlessTaken<T>(field: T | undefined): T {
  if (field === undefined) throw invalid(KEY_TAKEN)
  return field
}
