import { unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { campaignAt, create } from './create.ts'
import { isCurrent } from './issue.ts'
import type { partnerAccessTokens } from './resource.ts'

/** Returns the handlers of partner access tokens. */
export function partnerAccessTokenHandlers(dependencies: Dependencies): Handlers<typeof partnerAccessTokens> {
  return handlersOf<typeof partnerAccessTokens, Dependencies>(
    {
      list: async (all, { params }) => all.tokens.ofCampaign(params.event_id, (await campaignAt(all, params))._id),
      create,
      revoke: async (all, { params }) => {
        const campaign = await campaignAt(all, params)
        return found(await all.tokens.delete(params.event_id, campaign._id, params.id))
      },
      resolve: async (all, { body }) => {
        const token = await all.tokens.findByHash(body.hash)
        // The tokens of a deleted campaign may exist a moment longer.
        const campaign = token && (await unlessRefused(campaignAt(all, token), 'not_found'))
        return campaign && isCurrent(token, campaign) ? { token } : {}
      },
      authenticate: async ({ tokens }, { body: { hashes } }) => {
        const known = await tokens.knownHashes(hashes)
        return hashes.map((hash) => ({ known: known.has(hash) }))
      },
    },
    dependencies,
  )
}
