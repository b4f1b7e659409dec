import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { testSends } from './resource.ts'
import { send } from './send.ts'

/** Returns the handlers of test sends. */
export function testSendHandlers(dependencies: Dependencies): Handlers<typeof testSends> {
  return handlersOf({ send }, dependencies)
}
