import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { LeadStore } from '../connections/store.ts'
import type { Exhibitor, exhibitors } from './resource.ts'
import type { ExhibitorStore } from './store.ts'

/** Handlers of exhibitors. */
export function exhibitorHandlers(store: ExhibitorStore, leads: LeadStore): Handlers<typeof exhibitors> {
  return {
    list: async ({ params }) => store.ofEvent(params.event_id),
    read: async ({ params }) => found(await store.get(params.event_id, params.id)),

    async create({ params: { event_id }, body, newId }) {
      const access_token = newToken('gh_exhibitor_')
      const stored = await store.insert({
        _id: newId(),
        ...body,
        event_id,
        ...newTimes(),
        token_hash: hashOfToken(access_token),
        deleted: false,
      })
      return { ...found(stored), access_token }
    },

    update: async ({ params, body }) => found(await store.update(params.event_id, params.id, body)),

    async delete({ params }) {
      const exhibitor = found(await store.markDeleted(params.event_id, params.id))
      await finishDeletion(exhibitor, store, leads)
      return exhibitor
    },

    async roll_token({ params }) {
      const access_token = newToken('gh_exhibitor_')
      const changed = await store.update(params.event_id, params.id, { token_hash: hashOfToken(access_token) })
      return { ...found(changed), access_token }
    },

    async authenticate({ body: { hashes } }) {
      const known = await store.knownHashes(hashes)
      return hashes.map((hash) => ({ known: known.has(hash) }))
    },
  }
}

/** Finishes the deletions that a process began before it died. */
export async function finishDeletions(store: ExhibitorStore, leads: LeadStore): Promise<void> {
  for (const exhibitor of await store.halfDeleted()) await finishDeletion(exhibitor, store, leads)
}

/** Deletes an exhibitor's leads, and only then its document. */
async function finishDeletion(exhibitor: Exhibitor, store: ExhibitorStore, leads: LeadStore): Promise<void> {
  await leads.deleteOfExhibitor(exhibitor.event_id, exhibitor._id)
  await store.remove(exhibitor)
}
