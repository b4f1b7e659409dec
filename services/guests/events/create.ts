import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { newCiphering } from './ciphering.ts'
import type { Event, events } from './resource.ts'
import { errorsOf, platformOf } from './validation.ts'

type Create = typeof events.actions.create

/** Creates an event. */
export async function create(
  { events, encrypter, allowPrivateHooks }: Dependencies,
  { body: given, accept, caller, newId }: Call<Create>,
): Promise<Event> {
  if (required(caller).event_id) throw new Fault('forbidden')
  const body = await accept(await errorsOf(events, allowPrivateHooks, given, required(caller)))
  const ciphering = body.qr_code_ciphering_enabled && { ciphering: newCiphering(encrypter) }
  const event = await events.insert({
    _id: newId(),
    ...body,
    ...platformOf(body),
    ...ciphering,
    archived_at: null,
    ...newTimes(),
  })
  return { ...event, guest_count: 0, check_in_count: 0, signature_count: 0 }
}
