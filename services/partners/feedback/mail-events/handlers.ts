import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { batchCreate } from './batch-create.ts'
import type { mailEvents } from './resource.ts'

/** Returns the handlers of mail events. */
export function mailEventHandlers(dependencies: Dependencies): Handlers<typeof mailEvents> {
  return handlersOf({ batch_create: batchCreate }, dependencies)
}
