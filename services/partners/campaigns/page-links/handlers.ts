import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { issueToken } from '../partner-access-tokens/issue.ts'
import { renew } from './renew.ts'
import type { pageLinks } from './resource.ts'
import { send } from './send.ts'
import { campaignOf, newLinkOf, pageLinkOf } from './views.ts'

/** Returns the handlers of the links to partners' pages. */
export function pageLinkHandlers(dependencies: Dependencies): Handlers<typeof pageLinks> {
  return handlersOf<typeof pageLinks, Dependencies>(
    {
      show: async (all, { params }) => pageLinkOf(all, await campaignOf(all, params)),
      create: async (all, { params, actor, newId }) => {
        const campaign = await campaignOf(all, params)
        return newLinkOf(all, campaign, await issueToken(all, campaign, { _id: newId(), created_by: actor }))
      },
      renew,
      send,
    },
    dependencies,
  )
}
