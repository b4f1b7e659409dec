import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { claim } from './claim.ts'
import { end } from './end.ts'
import type { confirmations } from './resource.ts'

/** Returns the handlers of confirmations. */
export function confirmationHandlers(dependencies: Dependencies): Handlers<typeof confirmations> {
  return handlersOf({ claim, end }, dependencies)
}
