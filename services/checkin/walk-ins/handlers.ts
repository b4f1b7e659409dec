import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import type { walkIns } from './resource.ts'

/** Returns the handlers of walk-ins. */
export function walkInHandlers(dependencies: Dependencies): Handlers<typeof walkIns> {
  return handlersOf<typeof walkIns, Dependencies>({ create }, dependencies)
}
