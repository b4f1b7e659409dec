import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { handle } from './handle.ts'
import type { invitationPages } from './resource.ts'

/** Returns the handler of the pages of invitations. */
export function invitationPageHandlers(dependencies: Dependencies): Handlers<typeof invitationPages> {
  return handlersOf({ handle }, dependencies)
}
