import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { issueToken } from '../partner-access-tokens/issue.ts'
import type { pageLinks } from './resource.ts'
import { campaignOf, newLinkOf } from './views.ts'

type Renew = (typeof pageLinks)['actions']['renew']

/** Revokes all links to a campaign's page, and makes a new one. */
export async function renew(dependencies: Dependencies, { params, actor, newId }: Call<Renew>): Promise<Output<Renew>> {
  const { campaigns, tokens } = dependencies
  const campaign = found(await campaigns.renewLinks(await campaignOf(dependencies, params)))
  const { event_id, _id, link_generation = 0 } = campaign
  // They are revoked already; one that is left behind by a process that died opens nothing.
  await tokens.deleteBefore(event_id, _id, link_generation)
  const issued = await issueToken(dependencies, campaign, { _id: newId(), created_by: actor })
  return newLinkOf(dependencies, campaign, issued)
}
