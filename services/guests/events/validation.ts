import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { type Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Caller, checkReach } from '@gatehouse/proto/declaring/resource.ts'
import { timeZoneErrors } from '@gatehouse/proto/declaring/time-zones.ts'
import { hookUrlError } from '@gatehouse/proto/declaring/webhook-urls.ts'
import type { Event } from './resource.ts'
import type { EventStore, StoredEvent } from './store.ts'

type CheckedFields = Partial<
  Pick<Event, 'account_id' | 'badge_complete_hook_url' | 'platform_event_id' | 'timezone' | 'start_date' | 'end_date'>
>

/** The errors that the schema cannot express; `_id` is that of an event that is changed. */
export async function errorsOf(
  events: EventStore,
  allowPrivateHooks: boolean,
  given: CheckedFields,
  caller: Caller,
  _id?: string,
): Promise<FieldErrors> {
  const { account_id = caller.account_id, badge_complete_hook_url: hook, platform_event_id: platform } = given
  const found = {
    account_id: account_id === caller.account_id ? undefined : messageOf('other_account'),
    badge_complete_hook_url: hook ? hookUrlError(hook, allowPrivateHooks) : undefined,
    platform_event_id: platform?.trim() ? await platformError(events, platform, caller, _id) : undefined,
  }
  const errors = Object.entries(found).flatMap(([field, error]) => (error ? [[field, [error]]] : []))
  const stored = _id === undefined ? null : await events.get(_id)
  return {
    ...Object.fromEntries(errors),
    ...timeZoneErrors(given.timezone, stored?.timezone),
    ...dateErrors(given, stored),
  }
}

/**
 * The error of a platform event, or undefined. It must be another event of the account that the caller may change, since campaigns make
 * discount codes there. The stored one is always accepted.
 */
async function platformError(
  events: EventStore,
  given: string,
  caller: Caller,
  _id?: string,
): Promise<Message | undefined> {
  if (given === _id) return messageOf('references_itself')
  if (_id !== undefined && (await events.get(_id))?.platform_event_id === given) return undefined
  // Checked before the lookup, so that a bound token does not learn which events exist.
  checkReach(caller, given)
  const platform = await events.get(given)
  return platform?.account_id === caller.account_id
    ? undefined
    : messageOf('unknown_reference', { thing: 'an event', owner: 'account' })
}

/** The error of dates that do not fit each other, or the stored ones. Stored ones that do not may stay. */
export function dateErrors(
  given: Pick<CheckedFields, 'start_date' | 'end_date'>,
  stored: StoredEvent | null,
): FieldErrors {
  if (given.start_date === undefined && given.end_date === undefined) return {}
  const { start_date, end_date } = { ...stored, ...given }
  const isUnchanged = stored && isSame(start_date, stored.start_date) && isSame(end_date, stored.end_date)
  const isWrong = start_date && end_date && end_date < start_date && !isUnchanged
  return isWrong ? { end_date: [messageOf('before_start_date')] } : {}
}

function isSame(one: Date | null | undefined, other: Date | null): boolean {
  return (one?.getTime() ?? null) === (other?.getTime() ?? null)
}

/** The platform event as it is stored: null if it is blank. */
export function platformOf({ platform_event_id }: { platform_event_id?: string | null }): {
  platform_event_id?: string | null
} {
  return platform_event_id === undefined
    ? {}
    : { platform_event_id: platform_event_id?.trim() ? platform_event_id : null }
}
