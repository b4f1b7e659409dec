import * as guestTopics from '@gatehouse/guests/topics'
import { handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type ServiceContext, startService } from '@gatehouse/proto/serving/service.ts'
import { pageLinkHandlers } from './campaigns/page-links/handlers.ts'
import { partnerAccessTokenHandlers } from './campaigns/partner-access-tokens/handlers.ts'
import { partnerCampaignHandlers } from './campaigns/partner-campaigns/handlers.ts'
import { startSweeping } from './campaigns/partner-campaigns/reconciliation.ts'
import { partnerHandlers } from './campaigns/partners/handlers.ts'
import { blockedRecipientHandlers } from './delivery/blocked-recipients/handlers.ts'
import { list as listGuestMails } from './delivery/guest-mails/list.ts'
import { invitationTypeHandlers } from './delivery/invitation-types/handlers.ts'
import { invitationHandlers, ownCampaignHandlers } from './delivery/invitations/handlers.ts'
import type { StoredInvitation } from './delivery/invitations/store.ts'
import { startLookingForAudiences } from './delivery/mailings/audience.ts'
import { mailingHandlers } from './delivery/mailings/handlers.ts'
import { send as sendQrCode } from './delivery/qr-code-mails/send.ts'
import { sendJobHandlers } from './delivery/sending/handlers.ts'
import { startMaintenance } from './delivery/sending/maintenance.ts'
import { send } from './delivery/test-sends/send.ts'
import { type Dependencies, openDependencies } from './dependencies.ts'
import { collections, partnersEventDataHandlers } from './event-data.ts'
import { batchCreate } from './feedback/mail-events/batch-create.ts'
import { mailFeedbackHandlers } from './feedback/mail-feedback/handlers.ts'
import type { FetchFunction } from './feedback/mail-feedback/sns.ts'
import { suppressionHandlers } from './feedback/suppressions/handlers.ts'
import { confirmationHandlers } from './pages/confirmations/handlers.ts'
import { handle } from './pages/invitation-pages/handle.ts'
import { partnerPageHandlers } from './pages/partner-pages/handlers.ts'
import { registrationPageHandlers } from './pages/registration-pages/handlers.ts'
import { guestsAreGone } from './pages/registration-pages/taking.ts'
import { decide } from './pages/registrations/decide.ts'
import { registrationHandlers } from './pages/registrations/handlers.ts'
import { permissions } from './permissions.ts'
import { partnersPersonalDataHandlers } from './personal-data.ts'
import * as resources from './resources.ts'
import type { Config } from './settings.ts'

export { type Config as PartnersConfig, settings } from './settings.ts'

/**
 * The partners service: partners, invitation types, campaigns, their access tokens, and the invitations that partners send. A test may supply
 * Amazon's certificates by `fetchFromAmazon`.
 */
export function start(config: Config, fetchFromAmazon: FetchFunction = fetch): Promise<Running> {
  return startService('partners', permissions, config, async (context) => {
    const dependencies = await openDependencies(context, config)
    const { outbox } = dependencies
    serveAll(context, dependencies)
    context.serve(resources.mailFeedback, mailFeedbackHandlers(dependencies, fetchFromAmazon))
    context.bus.listen(guestTopics.gone, (guests) => {
      // One that is missed is found when the page is full.
      guestsAreGone(dependencies, guests).catch((error) =>
        context.log.warn({ err: error }, 'registrations were not deleted'),
      )
    })
    outbox.start()
    const maintenance = startMaintenance(dependencies)
    const audiences = startLookingForAudiences(dependencies)
    const sweeping = startSweeping(dependencies)
    return {
      cell: {
        events: collections,
        last: { invitations: ({ confirmation_due }: StoredInvitation) => confirmation_due !== undefined },
      },
      drain: async () => {
        await maintenance.stop()
        await audiences.stop()
        await outbox.stop()
      },
      stop: () => sweeping.stop(),
    }
  })
}

function serveAll({ serve, store }: ServiceContext, dependencies: Dependencies): void {
  serve(resources.partners, partnerHandlers(dependencies))
  serve(resources.partnerCampaigns, partnerCampaignHandlers(dependencies))
  serve(resources.partnerAccessTokens, partnerAccessTokenHandlers(dependencies))
  serve(resources.pageLinks, pageLinkHandlers(dependencies))
  serve(resources.ownCampaigns, ownCampaignHandlers(dependencies))
  serve(resources.invitationTypes, invitationTypeHandlers(dependencies))
  serve(resources.partnerInvitations, invitationHandlers(dependencies))
  serve(resources.sendJobs, sendJobHandlers(dependencies))
  serve(resources.mailings, mailingHandlers(dependencies))
  serve(resources.qrCodeMails, handlersOf({ send: sendQrCode }, dependencies))
  serve(resources.guestMails, handlersOf({ list: listGuestMails }, dependencies))
  serve(resources.testSends, handlersOf({ send }, dependencies))
  serve(resources.blockedRecipients, blockedRecipientHandlers(dependencies))
  serve(resources.suppressions, suppressionHandlers(dependencies))
  serve(resources.mailEvents, handlersOf({ batch_create: batchCreate }, dependencies))
  serve(resources.partnerPages, partnerPageHandlers(dependencies))
  serve(resources.invitationPages, handlersOf({ handle }, dependencies))
  serve(resources.registrationPages, registrationPageHandlers(dependencies))
  serve(resources.registrations, registrationHandlers(dependencies))
  serve(resources.invitationDecisions, handlersOf({ decide }, dependencies))
  serve(resources.confirmations, confirmationHandlers(dependencies))
  serve(resources.personalData, partnersPersonalDataHandlers(store.db))
  serve(resources.eventData, partnersEventDataHandlers(store.db, dependencies))
}
