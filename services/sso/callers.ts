import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Caller, required } from '@gatehouse/proto/declaring/resource.ts'

/** The caller of what belongs to an account and to none of its events: no token bound to an event may ask. Throws `forbidden`. */
export function unbound(caller: Caller | undefined): Caller {
  const known = required(caller)
  if (known.event_id !== undefined) throw new Fault('forbidden')
  return known
}
