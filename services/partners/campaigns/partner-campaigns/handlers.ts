import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { adopt } from './adopt.ts'
import { create } from './create.ts'
import { deleteCampaign } from './delete.ts'
import { disown } from './disown.ts'
import { list } from './list.ts'
import { read } from './read.ts'
import type { partnerCampaigns } from './resource.ts'
import { resume } from './resume.ts'

/** Returns the handlers of partner campaigns. */
export function partnerCampaignHandlers(dependencies: Dependencies): Handlers<typeof partnerCampaigns> {
  return handlersOf({ list, read, create, adopt, disown, resume, delete: deleteCampaign }, dependencies)
}
