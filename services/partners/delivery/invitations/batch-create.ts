import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { alsoWrong, type Call, isRejected, type Rejected } from '@gatehouse/proto/declaring/resource.ts'
import { authenticatePartner } from '../../campaigns/partner-access-tokens/authenticate.ts'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type Addressed, invite } from './acceptance.ts'
import type { PartnerInvitation, partnerInvitations } from './resource.ts'
import { partnerView } from './views.ts'

const NOT_AN_ADDRESS = { email: [messageOf('invalid_email')] }
const USED_UP = { quota: [messageOf('quota_exceeded')] }
/** The longest submission; one that takes longer does no harm, since a recipient is accepted only once. */
const MAX_MS = 20_000

type BatchCreate = Call<(typeof partnerInvitations)['actions']['batch_create']>

/** Invites recipients with a partner access token. */
export async function batchCreate(
  dependencies: Dependencies,
  call: BatchCreate,
): Promise<(PartnerInvitation | Rejected)[]> {
  const { params, body, idempotency_key } = call
  const campaign = await authenticatePartner(dependencies, params.partner_access_token)
  if (!idempotency_key) return submit(dependencies, campaign, body)
  // After authentication, since a revoked token must not get even an earlier answer; by campaign, since its other tokens may.
  const asked = Buffer.from(JSON.stringify(body))
  const meta = { idempotency_key, budget: MAX_MS }
  const subject = 'partners.partner_invitations.batch_create'
  const reply = await dependencies.retries.once(subject, campaign._id, meta, asked, async () => ({
    body: Buffer.from(JSON.stringify(await submit(dependencies, campaign, body))),
  }))
  call.replayed = reply.replayed ?? false
  return JSON.parse(Buffer.from(reply.body).toString()) as (PartnerInvitation | Rejected)[]
}

/** The invitation of each item, or why there is none. */
export async function submit(
  dependencies: Dependencies,
  campaign: StoredCampaign,
  items: BatchCreate['body'],
): Promise<(PartnerInvitation | Rejected)[]> {
  const fresh = new Map<string, Addressed>()
  for (const item of items) {
    if (isRejected(item)) continue
    const address = normalized(item.email)
    if (address !== undefined && !fresh.has(address)) fresh.set(address, { address, recipient: item })
  }
  const accepted = await invite(dependencies, campaign, [...fresh.values()])
  return items.map((item) => {
    if (isRejected(item)) return alsoWrong(item, addressErrors(item.given?.email))
    const address = normalized(item.email)
    if (address === undefined) return { errors: NOT_AN_ADDRESS }
    const invitation = accepted.get(address)
    return invitation ? partnerView(invitation) : { errors: USED_UP }
  })
}

function addressErrors(email: string | undefined): FieldErrors {
  return email !== undefined && normalized(email) === undefined ? NOT_AN_ADDRESS : {}
}
