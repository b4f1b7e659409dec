import { GIVING_WAY, inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { forEachConcurrently } from '@gatehouse/proto/concurrency/for-each.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { alsoWrong, type Call, isRejected, type Output, type Rejected } from '@gatehouse/proto/declaring/resource.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { GuestFields, guests } from './resource.ts'
import type { StoredGuest } from './stored-guest.ts'
import { changeAsRead, changesOf, isAlready } from './update.ts'
import { errorsOfChanges, NO_GUEST, uidErrors } from './validation.ts'

type BatchUpdate = typeof guests.actions.batch_update
type Items = Call<BatchUpdate>['body']

/** An item without errors: the guest as it was read, and the changes. */
interface Wanted {
  current: StoredGuest
  fields: Partial<GuestFields>
}

const NEVER = new AbortController().signal

/** Changes the guests of a batch, and makes the changes known. A guest who is so already stays as it is. */
export function batch_update(
  dependencies: Dependencies,
  { params: { event_id }, body }: Call<BatchUpdate>,
): Promise<Output<BatchUpdate>> {
  const updateChunk = async (items: Items): Promise<Output<BatchUpdate>> => {
    const judged = await judge(dependencies, event_id, items)
    const refused = await changeAll(
      dependencies,
      event_id,
      judged.filter((each): each is Wanted => !isRejected(each)),
    )
    return judged.map((each) => (isRejected(each) ? each : (refused.get(each) ?? { _id: each.current._id })))
  }
  return inChunks(body, updateChunk, GIVING_WAY)
}

/** What each item asks for, or what is wrong with it. */
async function judge(dependencies: Dependencies, event_id: string, items: Items): Promise<(Wanted | Rejected)[]> {
  const given = items.map((item) => (isRejected(item) ? (item.given ?? {}) : item))
  const ids = given.flatMap(({ _id }) => _id ?? [])
  const byId = new Map((await dependencies.lookups.withIds(event_id, ids)).map((guest) => [guest._id, guest]))
  const stored = given.map(({ _id = '' }) => byId.get(_id))
  const errors = await errorsOfChanges(dependencies, event_id, given, stored)
  return Promise.all(
    items.map(async (item, index): Promise<Wanted | Rejected> => {
      const current = stored[index]
      const { _id, ...fields } = given[index] ?? {}
      const wrong = { ...errors[index], ...(_id !== undefined && !current && NO_GUEST) }
      if (current && !isRejected(item) && Object.keys(wrong).length === 0) return { current, fields: changesOf(fields) }
      const all = { ...(await uidErrors(dependencies, event_id, fields.uid, _id ?? '')), ...wrong }
      return isRejected(item) ? alsoWrong(item, all) : { errors: all }
    }),
  )
}

/** Changes guests, and publishes that. Returns the errors of those that cannot be stored. */
async function changeAll(
  dependencies: Dependencies,
  event_id: string,
  wanted: Wanted[],
): Promise<Map<Wanted, Rejected>> {
  const { changes, outbox, presenter } = dependencies
  const byGuest = [...Map.groupBy(wanted, ({ current }) => current._id).values()]
  const planned = byGuest
    .filter((group) => !group.every(({ current, fields }) => isAlready(current, fields)))
    .map((group) => (group[0] as Wanted).current)
  // Those of guests who are so already, too: an earlier try may have died before it made that known.
  const uids = new Set(wanted.flatMap(({ current, fields }) => [current.uid, fields.uid ?? current.uid]))
  const changed = new Map<string, StoredGuest>()
  const refused = new Map<Wanted, Rejected>()
  const changeGuest = async (group: Wanted[]): Promise<void> => {
    let { current } = group[0] as Wanted
    for (const each of group) {
      const outcome = await changeOne(dependencies, current, each.fields, uids)
      if (isRejected(outcome)) refused.set(each, outcome)
      else if (outcome !== current) {
        changed.set(outcome._id, outcome)
        current = outcome
      }
    }
  }
  await outbox.publishing(
    { type: 'guest.updated', event_id, items: planned.map(({ _id, updated_at }) => ({ _id, updated_at })) },
    () =>
      changes.changing({ event_id, uids, moved_from: null }, () =>
        forEachConcurrently(byGuest, byGuest.length, NEVER, changeGuest),
      ),
    () => Array.from(changed.values(), (guest) => presenter.forWebhooks(guest)),
  )
  return refused
}

/** Changes a guest who may have changed since it was read. Returns it as it is then, or what is wrong with the changes. */
async function changeOne(
  dependencies: Dependencies,
  read: StoredGuest,
  fields: Partial<GuestFields>,
  uids: Set<string>,
): Promise<StoredGuest | Rejected> {
  const { event_id, _id } = read
  let latest: StoredGuest | null = read
  try {
    return await untilUnchanged('guest', async () => {
      const current = latest ?? found(await dependencies.guests.get(event_id, _id))
      latest = null
      uids.add(current.uid)
      return isAlready(current, fields) ? current : changeAsRead(dependencies, current, fields)
    })
  } catch (error) {
    if (error instanceof Fault && error.errors) return { errors: error.errors }
    if (error instanceof Fault && error.code === 'not_found') return { errors: NO_GUEST }
    throw error
  }
}
