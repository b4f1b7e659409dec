import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Caller, required } from '@gatehouse/proto/declaring/resource.ts'

/** The caller, whose token must not be bound to an event: the resource belongs to the account. Throws `forbidden`. */
export function unbound(caller: Caller | undefined): Caller {
  const known = required(caller)
  if (known.event_id !== undefined) throw new Fault('forbidden')
  return known
}
