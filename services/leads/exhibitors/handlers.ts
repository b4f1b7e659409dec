import { type Call, type Handlers, handlersOf, type Output } from '@gatehouse/proto/declaring/resource.ts'
import { adoptEach } from '@gatehouse/proto/storage/adopting.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { Dependencies } from '../dependencies.ts'
import { create_code } from './create-code.ts'
import { finishDeletion } from './deletion.ts'
import { disown } from './disown.ts'
import { exchange } from './exchange.ts'
import type { exhibitors } from './resource.ts'

type Create = typeof exhibitors.actions.create

/** Returns the handlers of exhibitors. */
export function exhibitorHandlers(dependencies: Dependencies): Handlers<typeof exhibitors> {
  return handlersOf<typeof exhibitors, Dependencies>(
    {
      async list({ exhibitors, leads }, { params: { event_id } }) {
        const [all, counts] = await Promise.all([exhibitors.ofEvent(event_id), leads.counts(event_id)])
        return all.map((each) => ({ ...each, lead_count: counts.get(each._id) ?? 0 }))
      },
      async read({ exhibitors, leads }, { params: { event_id, id } }) {
        const exhibitor = found(await exhibitors.get(event_id, id))
        return { ...exhibitor, lead_count: await leads.count(event_id, id) }
      },
      create,
      update: async ({ exhibitors }, { params, body }) =>
        found(await exhibitors.update(params.event_id, params.id, body)),
      async delete({ exhibitors, leads }, { params }) {
        const exhibitor = found(await exhibitors.markDeleted(params.event_id, params.id))
        await finishDeletion(exhibitors, leads, exhibitor)
        return exhibitor
      },
      async roll_token({ exhibitors }, { params }) {
        const access_token = newToken('gh_exhibitor_')
        const rolled = exhibitors.rollToken(params.event_id, params.id, hashOfToken(access_token))
        return { ...found(await rolled), access_token }
      },
      adopt: ({ exhibitors }, { query: { event_id, compares }, body }) =>
        adoptEach(body, (items) => {
          const hashes = new Map(
            items.map(({ _id, access_token = newToken('gh_exhibitor_') }) => [_id, hashOfToken(access_token)]),
          )
          const given = items.map(({ access_token: _, ...item }) => ({ ...item, event_id }))
          return exhibitors.adopt(given, hashes, compares)
        }),
      disown,
      create_code,
      exchange,
      async authenticate({ exhibitors }, { body: { hashes } }) {
        const existing = await exhibitors.existingHashes(hashes)
        return hashes.map((hash) => ({ known: existing.has(hash) }))
      },
    },
    dependencies,
  )
}

/** Creates an exhibitor with a new access token. */
export async function create(
  { exhibitors }: Dependencies,
  { params: { event_id }, body, newId }: Call<Create>,
): Promise<Output<Create>> {
  const access_token = newToken('gh_exhibitor_')
  const token_hash = hashOfToken(access_token)
  const exhibitor = { _id: newId(), ...body, event_id, ...newTimes(), token_hash, deleted: false }
  return { ...found(await exhibitors.insert(exhibitor)), access_token }
}
