import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { isAdmitted } from '../../delivery/invitations/answers.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import { refusalsOf } from '../../delivery/refusals.ts'
import type { Dependencies } from '../../dependencies.ts'
import { confirmationOf } from './mails.ts'
import type { ConfirmationMail, confirmations as resource } from './resource.ts'
import type { ConfirmationLease } from './store.ts'

/** How long a mail process may take for a few e-mails. If it dies, another one sends them after this time. */
const LEASE_MS = 120_000
/** How often is checked whether a badge is made. */
const INCOMPLETE_MS = 1_000
/** How often is checked whether a partner may send again. */
const DISABLED_MS = 60_000

/**
 * Leases a few confirmations that are due, and returns their e-mails. One is due once its guest is made, and stays so until the mail server has
 * taken it: so none is lost with a process, and one may be sent twice if a process dies between the two.
 */
export async function claim(
  dependencies: Dependencies,
  { body: { limit } }: Call<(typeof resource)['actions']['claim']>,
): Promise<ConfirmationMail[]> {
  const { confirmations } = dependencies
  const until = new Date(Date.now() + LEASE_MS)
  const due = await confirmations.due(limit)
  const leased = await Promise.all(due.map((invitation) => confirmations.lease(invitation, until)))
  const mails = leased.map(async (invitation) => {
    if (!invitation) return []
    const lease = { _id: invitation._id, event_id: invitation.event_id, until }
    try {
      return await mailOf(dependencies, invitation, lease)
    } catch {
      // A service that is needed is away.
      await confirmations.postpone(lease, new Date(Date.now() + INCOMPLETE_MS), false)
      return []
    }
  })
  return (await Promise.all(mails)).flat()
}

/** The e-mail of a lease. None if it has to wait, for a badge or since its partner may send no e-mails, or is not wanted any more. */
async function mailOf(
  dependencies: Dependencies,
  invitation: StoredInvitation,
  lease: ConfirmationLease,
): Promise<ConfirmationMail[]> {
  const { confirmations, usage, config } = dependencies
  const { event_id, partner_id, address, confirmation_since = new Date() } = invitation
  const partner = await usage.get({ _id: partner_id, event_id })
  if (partner?.disable_emails) {
    await confirmations.postpone(lease, new Date(Date.now() + DISABLED_MS), false)
    return []
  }
  const isLate = Date.now() - confirmation_since.getTime() >= config.confirmation_wait_ms
  const isAsked = isAdmitted(invitation) || invitation.registration_state === 'unconfirmed'
  const isWanted = isAsked && (await refusalsOf(dependencies, event_id, [address])).size === 0
  const mail = isWanted ? await confirmationOf(dependencies, invitation, isLate) : 'unwanted'
  if (mail === 'unwanted') await confirmations.end(lease, null)
  else if (mail === 'incomplete') await confirmations.postpone(lease, new Date(Date.now() + INCOMPLETE_MS), false)
  else return [{ ...mail, ...lease }]
  return []
}
