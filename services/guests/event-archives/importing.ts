import { isDeepStrictEqual } from 'node:util'
import type { EventOfAccount } from '@gatehouse/proto/serving/event-data.ts'
import { BSON } from 'mongodb'
import type { Dependencies } from '../dependencies.ts'
import { newCiphering } from '../events/ciphering.ts'
import type { StoredEvent } from '../events/store.ts'
import * as topics from '../topics.ts'
import type { beginnings } from './resource.ts'

const { EJSON } = BSON

/** What came of the beginning of an import. */
interface Begun {
  outcome: (typeof beginnings)[number]
  /** The event that has its id. */
  stored: StoredEvent | null
  /** Whether its ciphered QR codes cannot be read here: the key was of another installation. */
  new_key: boolean
}

/** An archive, and the account that takes it. */
interface GivenEvent {
  account_id: string
  from_account_id: string
  /** The event as a line. */
  event: string
}

/** Stores the event of an archive, invisible, unless another one has its id. */
export async function begin(
  dependencies: Dependencies,
  { account_id, from_account_id, event: line }: GivenEvent,
): Promise<Begun> {
  const given = eventOf(line)
  if (given?.account_id !== from_account_id) return { outcome: 'unreadable', stored: null, new_key: false }
  const { ciphering, ...fields } = given
  const readable = ciphering !== undefined && isReadable(dependencies, ciphering)
  const event: StoredEvent = {
    ...fields,
    account_id,
    platform_event_id: await platformOf(dependencies, account_id, given.platform_event_id),
    ...(ciphering !== undefined && { ciphering: readable ? ciphering : newCiphering(dependencies.encrypter) }),
  }
  const stored = await dependencies.events.beginImport(event)
  return { outcome: outcomeOf(stored, event), stored, new_key: ciphering !== undefined && !readable }
}

/** Shows the event of an archive that is complete. Returns it; null if there is none. */
export async function finish(
  { bus, events, badgeOrders, orderQueue }: Dependencies,
  { account_id, event_id }: EventOfAccount,
): Promise<StoredEvent | null> {
  const finishing = events.finishImport(account_id, event_id)
  // The gateway may know that there is no such event.
  const known = bus.announcing(topics.archived, { event_id }, finishing)
  const event = await bus.announcing(topics.imported, { event_id }, known)
  if (event) orderQueue.orderForAll(await badgeOrders.markAll(event_id))
  return event
}

/** Deletes the event of an archive that is not complete. False if there is none. */
export async function withdraw(
  { events, deleting }: Dependencies,
  { account_id, event_id }: EventOfAccount,
): Promise<boolean> {
  const isKnown = await events.withdrawImport(account_id, event_id)
  if (isKnown) deleting.start()
  return isKnown
}

function outcomeOf(stored: StoredEvent, event: StoredEvent): Begun['outcome'] {
  if (stored.deleting) return 'deleting'
  if (!stored.importing || stored.account_id !== event.account_id) return 'exists'
  return isDeepStrictEqual(comparable(stored), comparable(event)) ? 'begun' : 'differs'
}

/** What another try stores too: a new key is another one each time. */
function comparable({ importing: _, ciphering: __, ...event }: StoredEvent): object {
  return event
}

/** An event of an archive; undefined if the line is none. */
function eventOf(line: string): StoredEvent | undefined {
  try {
    const { copying: _, importing: __, deleting: ___, ...event } = EJSON.parse(line, { relaxed: true }) as StoredEvent
    const isEvent = typeof event._id === 'string' && typeof event.title === 'string' && event.created_at instanceof Date
    return isEvent && /^[0-9a-f]{24}$/.test(event._id) ? event : undefined
  } catch {
    return undefined
  }
}

function isReadable({ encrypter }: Dependencies, ciphering: string): boolean {
  try {
    encrypter.decrypt(ciphering)
    return true
  } catch {
    return false
  }
}

/** The event in which discount codes are made, if it is one of the account. */
async function platformOf({ events }: Dependencies, account_id: string, platform_event_id: string | null) {
  const platform = platform_event_id === null ? null : await events.get(platform_event_id)
  return platform?.account_id === account_id ? platform._id : null
}
