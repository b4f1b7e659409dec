import { serveResource } from '@gatehouse/proto/bus/serving.ts'
import type { Running } from '@gatehouse/proto/process/run.ts'
import { type ServiceConfig, serviceSettings, startService } from '@gatehouse/proto/process/service.ts'
import { invitationTypeHandlers } from './invitation-types/handlers.ts'
import { InvitationTypeStore } from './invitation-types/store.ts'
import { partnerAccessTokenHandlers } from './partner-access-tokens/handlers.ts'
import { PartnerAccessTokenStore } from './partner-access-tokens/store.ts'
import { CampaignCodes } from './partner-campaigns/codes.ts'
import { partnerCampaignHandlers } from './partner-campaigns/handlers.ts'
import { Settlement } from './partner-campaigns/settlement.ts'
import { PartnerCampaignStore } from './partner-campaigns/store.ts'
import { partnerHandlers } from './partners/handlers.ts'
import { PartnerStore } from './partners/store.ts'
import { invitationTypes, partnerAccessTokens, partnerCampaigns, partners } from './resources.ts'

/** The settings of the partners service. */
export const settings = serviceSettings

/** The partners service: partners, invitation types, campaigns and their access tokens. */
export function start(config: ServiceConfig): Promise<Running> {
  return startService('partners', config, async ({ bus, store, retries, log }) => {
    const partnerStore = new PartnerStore(store.db)
    const typeStore = new InvitationTypeStore(store.db)
    const campaignStore = new PartnerCampaignStore(store.db)
    const tokenStore = new PartnerAccessTokenStore(store.db)
    const stores = { partners: partnerStore, types: typeStore, campaigns: campaignStore, tokens: tokenStore }
    await Promise.all(Object.values(stores).map((each) => each.prepare()))
    const settlement = new Settlement(stores, new CampaignCodes(bus), log)

    serveResource(bus, partners, partnerHandlers(partnerStore, campaignStore, settlement), { retries })
    serveResource(bus, invitationTypes, invitationTypeHandlers(typeStore, campaignStore), { retries })
    serveResource(
      bus,
      partnerCampaigns,
      partnerCampaignHandlers(campaignStore, partnerStore, typeStore, settlement, bus),
      { retries },
    )
    serveResource(bus, partnerAccessTokens, partnerAccessTokenHandlers(tokenStore, partnerStore, campaignStore), {
      retries,
    })
    return settlement.keepSweeping()
  })
}
