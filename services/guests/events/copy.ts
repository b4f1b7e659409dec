import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { newCiphering } from './ciphering.ts'
import { completeCopy } from './copying.ts'
import { withCountsOfOne } from './counts.ts'
import { moveBetween } from './moving.ts'
import type { Event, events } from './resource.ts'
import type { StoredEvent } from './store.ts'
import { dateErrors } from './validation.ts'

type Copy = typeof events.actions.copy

/** Copies an event with everything but people. The copy is there for others once all services have copied what is theirs. */
export async function copy(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, caller, newId }: Call<Copy>,
): Promise<Event> {
  // It would make an event that the token does not reach.
  if (required(caller).event_id) throw new Fault('forbidden')
  const { events, encrypter } = dependencies
  const original = found(await events.get(event_id))
  const dates = datesOf(original, given)
  const body = await accept(dateErrors(dates, original))
  const { title = original.title } = body
  const { ciphering: _, ...fields } = original
  const ciphering = original.qr_code_ciphering_enabled && { ciphering: newCiphering(encrypter) }
  const since = new Date()
  const copy = {
    ...fields,
    title,
    ...dates,
    ...ciphering,
    archived_at: null,
    ...newTimes(since),
    copying: { event_id, since },
  }
  const stored = await events.insert({ ...copy, _id: newId() })
  return withCountsOfOne(dependencies, await completeCopy(dependencies, stored))
}

/** The dates of a copy: those given; else those of the original, of which the end moves with the start. */
function datesOf(
  original: StoredEvent,
  { start_date = original.start_date, end_date }: Partial<Pick<StoredEvent, 'start_date' | 'end_date'>>,
): Pick<StoredEvent, 'start_date' | 'end_date'> {
  return {
    start_date,
    end_date: end_date === undefined ? moveBetween(original, start_date)(original.end_date) : end_date,
  }
}
