import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { DeliveryDependencies, Dependencies } from '../../dependencies.ts'
import { claim } from './claim.ts'
import { progress } from './progress.ts'
import { renew } from './renew.ts'
import type { sendJobs } from './resource.ts'
import type { SendJob } from './send-queue.ts'

/** Returns the handlers of send jobs. docs/invitations.md shows the states that an invitation goes through. */
export function sendJobHandlers(dependencies: Dependencies): Handlers<typeof sendJobs> {
  const whose = ({ of }: Pick<SendJob, 'of'>): DeliveryDependencies =>
    of === 'mailing' ? dependencies.ofMailings : dependencies
  return handlersOf<typeof sendJobs, Dependencies>(
    {
      claim: (_, call) => claim(whose(call.body), call),
      progress: (_, call) => progress(whose(call.body), call),
      renew: (_, call) => renew(whose(call.body), call),
    },
    dependencies,
  )
}
