import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { claim } from './claim.ts'
import { progress } from './progress.ts'
import { renew } from './renew.ts'
import type { sendJobs } from './resource.ts'

/** Returns the handlers of send jobs. docs/invitations.md shows the states that an invitation goes through. */
export function sendJobHandlers(dependencies: Dependencies): Handlers<typeof sendJobs> {
  return handlersOf({ claim, progress, renew }, dependencies)
}
