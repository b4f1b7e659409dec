import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { requireSent } from '../../delivery/test-sends/outcome.ts'
import { addressErrors } from '../../delivery/test-sends/send.ts'
import type { Dependencies } from '../../dependencies.ts'
import { issueToken } from '../partner-access-tokens/issue.ts'
import { pageLinkMailOf } from './mail.ts'
import type { pageLinks } from './resource.ts'
import { campaignOf, pageLinkOf } from './views.ts'

type Send = (typeof pageLinks)['actions']['send']

/**
 * Sends a new link to a campaign's page by e-mail. Links that exist cannot be sent, since only their hashes are stored; they go on working, as
 * the partner may have saved one, and whoever sends a link again does not expect that to end it.
 */
export async function send(
  dependencies: Dependencies,
  { params, body: given, accept, actor, newId }: Call<Send>,
): Promise<Output<Send>> {
  const { partners, tokens, mailClient } = dependencies
  const campaign = await campaignOf(dependencies, params)
  const { event_id, partner_id, _id } = campaign
  const partner = found(await partners.get(event_id, partner_id))
  const email = given.email ?? partner.email ?? undefined
  const missing: FieldErrors = email === undefined ? { email: [messageOf('blank')] } : {}
  await accept({ ...missing, ...(await addressErrors(dependencies, event_id, email)) })
  const address = normalized(email ?? '') ?? ''
  const issued = await issueToken(dependencies, campaign, { _id: newId(), created_by: actor })
  const mail = await pageLinkMailOf(dependencies, { partner, campaign, issued, address })
  const result = await mailClient.hand_over({ body: { ...mail, _id: newId() } })
  // Where nobody knows whether the e-mail left, its link works.
  if (result.outcome === 'rejected' || result.outcome === 'later') await tokens.delete(event_id, _id, issued._id)
  requireSent(result)
  await tokens.noteSent(issued, address)
  return pageLinkOf(dependencies, campaign)
}
