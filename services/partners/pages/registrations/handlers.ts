import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { decide } from './decide.ts'
import type { registrations } from './resource.ts'

/** Returns the handler of organizers' decisions about registrations. */
export function registrationHandlers(dependencies: Dependencies): Handlers<typeof registrations> {
  return handlersOf({ decide }, dependencies)
}
