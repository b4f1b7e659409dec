import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { UsageStore } from '../../campaigns/partners/usage-store.ts'
import { isAdmitted } from '../../delivery/invitations/answers.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import { type Refusing, refusalsOf } from '../../delivery/refusals.ts'
import type { ConfirmationMails } from './mails.ts'
import type { ConfirmationMail, confirmations } from './resource.ts'
import type { ConfirmationClaim, ConfirmationStore } from './store.ts'

/** How long a mail process may take for a few e-mails. If it dies, they are sent by another one after this time. */
const CLAIM_MS = 120_000
/** How often it is looked whether a badge is made. */
const AGAIN_MS = 1_000
/** How often it is looked whether a partner may send again. */
const DISABLED_MS = 60_000

interface ConfirmationHandlerOptions extends Refusing {
  store: ConfirmationStore
  usageStore: UsageStore
  mails: ConfirmationMails
  /** The time until each further attempt, in ms; after the last one a confirmation is given up. */
  delays: number[]
  /** How long a confirmation waits for QR code and badge, in ms. */
  maxWaitMs: number
}

/**
 * Handlers of confirmations. One is due once its guest is made, and stays so until the mail server has taken it: so none is lost with a
 * process, and one may be sent twice if a process dies between the two.
 */
export function confirmationHandlers(options: ConfirmationHandlerOptions): Handlers<typeof confirmations> {
  const { store, usageStore, mails, delays, maxWaitMs } = options

  /** Who has asked for it gets it, unless the organizer has blocked the address, its owner has unsubscribed or complained, or e-mails come back. */
  async function isWanted(invitation: StoredInvitation): Promise<boolean> {
    if (!isAdmitted(invitation)) return false
    return (await refusalsOf(options, invitation.event_id, [invitation.address])).size === 0
  }

  /** The e-mail of a claim. None if it has to wait, for a badge or since its partner may send no e-mails, or is not wanted any more. */
  async function mailOf(invitation: StoredInvitation, claim: ConfirmationClaim): Promise<ConfirmationMail[]> {
    const partner = await usageStore.get({ _id: invitation.partner_id, event_id: invitation.event_id })
    if (partner?.disable_emails) {
      await store.postpone(claim, new Date(Date.now() + DISABLED_MS), false)
      return []
    }
    const since = invitation.confirmation_since ?? new Date()
    const isLate = Date.now() - since.getTime() >= maxWaitMs
    const mail = (await isWanted(invitation)) ? await mails.of(invitation, isLate) : 'unwanted'
    if (mail === 'unwanted') await store.end(claim, null)
    else if (mail === 'incomplete') await store.postpone(claim, new Date(Date.now() + AGAIN_MS), false)
    else return [{ ...mail, ...claim }]
    return []
  }

  return {
    async claim({ body: { limit } }) {
      const until = new Date(Date.now() + CLAIM_MS)
      const due = await store.due(limit)
      const claimed = await Promise.all(due.map((invitation) => store.claim(invitation, until)))
      const made = claimed.map(async (invitation) => {
        if (!invitation) return []
        const claim = { _id: invitation._id, event_id: invitation.event_id, until }
        try {
          return await mailOf(invitation, claim)
        } catch {
          // A service that is needed is away.
          await store.postpone(claim, new Date(Date.now() + AGAIN_MS), false)
          return []
        }
      })
      return (await Promise.all(made)).flat()
    },

    async end({ body: { outcome, ...claim } }) {
      if (outcome !== 'later') {
        await store.end(claim, outcome === 'sent' ? new Date() : null)
        return {}
      }
      const { confirmation_attempts = 0 } = (await store.claimed(claim)) ?? {}
      const delay = delays[confirmation_attempts]
      if (delay === undefined) await store.end(claim, null)
      else await store.postpone(claim, new Date(Date.now() + delay), true)
      return {}
    },
  }
}
