import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { LeadStore } from '../connections/store.ts'
import { hashOf, newAccessToken } from './access-token.ts'
import type { Exhibitor, exhibitors } from './resource.ts'
import type { ExhibitorStore } from './store.ts'

/** What exhibitors do and refuse. */
export function exhibitorHandlers(store: ExhibitorStore, leads: LeadStore): Handlers<typeof exhibitors> {
  return {
    async list({ params }) {
      return store.ofEvent(params.event_id)
    },

    async read({ params }) {
      return found(await store.get(params.event_id, params.id))
    },

    async create({ params: { event_id }, body, newId }) {
      const access_token = newAccessToken()
      const now = new Date()
      const stored = await store.insert({
        _id: newId(),
        ...body,
        event_id,
        created_at: now,
        updated_at: now,
        token_hash: hashOf(access_token),
        deleted: false,
      })
      return { ...found(stored), access_token }
    },

    async update({ params, body }) {
      return found(await store.update(params.event_id, params.id, body))
    },

    async delete({ params }) {
      const exhibitor = found(await store.markDeleted(params.event_id, params.id))
      await finishDeletion(exhibitor, store, leads)
      return exhibitor
    },

    async roll_token({ params }) {
      const access_token = newAccessToken()
      const changed = await store.update(params.event_id, params.id, { token_hash: hashOf(access_token) })
      return { ...found(changed), access_token }
    },

    async authenticate({ body: { hashes } }) {
      const known = await store.knownHashes(hashes)
      return hashes.map((hash) => ({ known: known.has(hash) }))
    },
  }
}

/** Takes up the deletions that a process began and did not live to finish. */
export async function finishDeletions(store: ExhibitorStore, leads: LeadStore): Promise<void> {
  for (const exhibitor of await store.halfDeleted()) await finishDeletion(exhibitor, store, leads)
}

/** The leads go before the last trace of their exhibitor does. */
async function finishDeletion(exhibitor: Exhibitor, store: ExhibitorStore, leads: LeadStore): Promise<void> {
  await leads.deleteOfExhibitor(exhibitor.event_id, exhibitor._id)
  await store.remove(exhibitor)
}

function found(exhibitor: Exhibitor | null): Exhibitor {
  if (!exhibitor) throw notFound()
  return exhibitor
}
