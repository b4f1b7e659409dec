import { ACCESS_GRANTED, type Reason } from '@gatehouse/door/decision.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { type Adopted, adoptEach, compared, outcomeOf } from '@gatehouse/proto/storage/adopting.ts'
import type { Static } from 'typebox'
import type { Dependencies } from '../dependencies.ts'
import { freeSlots } from '../door/decision.ts'
import { reasonOf } from './presenting.ts'
import type { checkIns } from './resource.ts'
import { type CheckIn, type CheckInStore, TRIES_OF_SLOTS } from './store.ts'

type Adopt = typeof checkIns.actions.adopt
type GivenCheckIn = Static<Adopt['body']>[number]

/**
 * Takes over check-ins of another system, with what that decided. A granted one takes accesses of its guest, as if it had been made here, also
 * beyond what the guest's right covers; one that was made here meanwhile stays.
 */
export function adopt(
  { checkIns, entryPoints, guestClient }: Dependencies,
  { query: { event_id, compares }, body }: Call<Adopt>,
): Promise<Output<Adopt>> {
  return adoptEach(body, async (items) => {
    const given = items.map((item) => storedAs(event_id, item))
    if (compares) {
      const here = await checkIns.findMany(given.map(({ _id }) => _id))
      return compared(given, [...here.values()])
    }
    const granted = given.filter(({ access_status }) => access_status === ACCESS_GRANTED)
    await entryPoints.noteUnknown(event_id, [...new Set(granted.map(({ accesspoint_id }) => accesspoint_id))])
    const adopted = await stored(checkIns, event_id, given)
    // Also of those that an earlier try has stored: it may have died before this.
    const uids = new Set(granted.map(({ guest_uid }) => guest_uid))
    if (uids.size > 0)
      await guestClient.note_entries({ body: { event_id, entries: [...uids].map((uid) => ({ uid })) } })
    return adopted
  })
}

/** A check-in of another system as it is stored here, where what is usual is left out. */
function storedAs(event_id: string, { reason, persons, direction, stamped_ahead, ...item }: GivenCheckIn): CheckIn {
  const { access_status, decided_offline = access_status } = item
  return {
    ...item,
    event_id,
    ...(reason !== null && reason !== reasonOf(access_status) && { reason: reason as Reason }),
    ...(persons !== 1 && { persons }),
    ...(direction === 'out' && { direction }),
    ...(stamped_ahead && { stamped_ahead }),
    ...(decided_offline !== access_status && { is_conflict: true }),
  }
}

/** Stores check-ins, each granted one in slots that are free by then. */
async function stored(store: CheckInStore, event_id: string, given: CheckIn[]): Promise<Adopted[]> {
  const here = await store.findMany(given.map(({ _id }) => _id))
  const outcomes = new Map<string, Adopted>()
  let left = given.filter(({ _id }) => !here.has(_id))
  for (let tries = 0; left.length > 0 && tries < TRIES_OF_SLOTS; tries++) {
    // Most are the first of their guest at their point: slots are read for those whose first one is taken.
    const taken = tries > 0 ? await slotsOf(store, event_id, left) : new Map()
    const slotted = withSlots(left, taken)
    const { conflicting, failed } = await store.insert(slotted)
    if (failed.size > 0) throw new Error('check-ins of another system could not be stored')
    for (const checkIn of slotted) if (!conflicting.has(checkIn)) outcomes.set(checkIn._id, { outcome: 'stored' })
    left = left.filter(({ _id }) => !outcomes.has(_id))
    if (left.length === 0) break
    const ids = left.map(({ _id }) => _id)
    for (const [_id, checkIn] of await store.findMany(ids)) here.set(_id, checkIn)
    // What was deleted here stays so.
    for (const _id of (await store.deletionsOf(ids)).keys()) outcomes.set(_id, { outcome: 'differs', fields: ['_id'] })
    left = left.filter(({ _id }) => !outcomes.has(_id) && !here.has(_id))
  }
  if (left.length > 0) throw new Error('check-ins of another system found no free slot')
  return given.map((checkIn) => outcomes.get(checkIn._id) ?? outcomeOf(checkIn, here.get(checkIn._id)))
}

/** The slots that the guests of check-ins have taken at their points. */
function slotsOf(store: CheckInStore, event_id: string, checkIns: CheckIn[]): Promise<SlotsByPoint> {
  const granted = checkIns.filter(takesSlots)
  const points = granted.map(({ accesspoint_id }) => accesspoint_id)
  const uids = granted.map(({ guest_uid }) => guest_uid)
  return store.slotsAt(event_id, [...new Set(points)], [...new Set(uids)])
}

/** Check-ins with the next free slots of their guests at their points; `taken` then has them, too. */
function withSlots(checkIns: CheckIn[], taken: SlotsByPoint): CheckIn[] {
  const granted = checkIns.filter(takesSlots)
  const slots = new Map<string, number[]>()
  for (const { _id, accesspoint_id, guest_uid, persons = 1 } of granted) {
    const ofPoint = taken.getOrInsertComputed(accesspoint_id, () => new Map())
    const ofGuest = ofPoint.getOrInsertComputed(guest_uid, () => new Set())
    const free = freeSlots(ofGuest, persons)
    for (const slot of free) ofGuest.add(slot)
    slots.set(_id, free)
  }
  return checkIns.map((checkIn) => {
    const { _id, access_status } = checkIn
    const [first, ...further] = slots.get(_id) ?? []
    if (access_status !== ACCESS_GRANTED) return { ...checkIn, adopted: true }
    // An exit takes none, as at the door.
    return {
      ...checkIn,
      adopted: true,
      slot: first === undefined ? _id : further.length > 0 ? [first, ...further] : first,
    }
  })
}

/** Numbers of slots, by point and uid. */
type SlotsByPoint = Map<string, Map<string, Set<number>>>

function takesSlots({ access_status, direction }: CheckIn): boolean {
  return access_status === ACCESS_GRANTED && direction !== 'out'
}
