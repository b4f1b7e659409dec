import { isDeepStrictEqual } from 'node:util'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { BSON } from 'mongodb'
import type { Dependencies } from '../dependencies.ts'
import { newCiphering } from '../events/ciphering.ts'
import type { StoredEvent } from '../events/store.ts'
import type { eventArchives } from './resource.ts'

const { EJSON } = BSON

type Begin = typeof eventArchives.actions.begin

/** Stores the event of an archive, invisible, unless another one has its id. */
export async function begin(
  dependencies: Dependencies,
  { body: { account_id, from_account_id, event: line } }: Call<Begin>,
): Promise<Output<Begin>> {
  const given = eventOf(line)
  if (given?.account_id !== from_account_id) return { outcome: 'unreadable', title: null, new_key: false }
  const { ciphering, ...fields } = given
  const readable = ciphering !== undefined && isReadable(dependencies, ciphering)
  const event: StoredEvent = {
    ...fields,
    account_id,
    platform_event_id: await platformOf(dependencies, account_id, given.platform_event_id),
    ...(ciphering !== undefined && { ciphering: readable ? ciphering : newCiphering(dependencies.encrypter) }),
  }
  const stored = await dependencies.events.beginImport(event)
  return { outcome: outcomeOf(stored, event), title: stored.title, new_key: ciphering !== undefined && !readable }
}

function outcomeOf(stored: StoredEvent, event: StoredEvent): Output<Begin>['outcome'] {
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
