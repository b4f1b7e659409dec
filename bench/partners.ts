import { recipientOf } from './bodies.ts'
import { send } from './send.ts'
import type { BenchWorld } from './world.ts'

/** A partner with a campaign of its own, whose e-mails wait until it may send. */
export interface BenchPartner {
  /** The path of its batches, with its access token. */
  batches: string
  /** The path of the partner itself, with the token of the account. */
  path: string
}

/** Recipients of one request. */
const INVITED_AT_ONCE = 1_000
const QUOTA = 1_000_000_000

/** Opens partners that may not send e-mails yet. */
export async function openPartners(world: BenchWorld, count: number): Promise<BenchPartner[]> {
  const make = async <T = { _id: string }>(path: string, body: object): Promise<T> => {
    const made = await send('POST', world.url + world.path(path), body)
    return (await made.json()) as T
  }
  const type = await make('invitation_types.json', { name: `Evening ${crypto.randomUUID()}` })
  return Promise.all(
    Array.from({ length: count }, async () => {
      const partner = await make('partners.json', { name: `Acme ${crypto.randomUUID()}`, disable_emails: true })
      const terms = { partner_id: partner._id, quota: QUOTA }
      const campaign = await make(`invitation_types/${type._id}/partner_campaigns.json`, terms)
      const tokens = `partners/${partner._id}/partner_campaigns/${campaign._id}/partner_access_tokens.json`
      const { token } = await make<{ token: string }>(tokens, {})
      return {
        batches: `/api/v1/partners/${token}/invitations/batch_create.json`,
        path: world.path(`partners/${partner._id}.json`),
      }
    }),
  )
}

/** Invites `count` recipients, `<prefix>-<number>@example.org`. */
export async function invite(url: string, { batches }: BenchPartner, prefix: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += INVITED_AT_ONCE) {
    const size = Math.min(INVITED_AT_ONCE, count - from)
    const recipients = Array.from({ length: size }, (_, index) => recipientOf(`${prefix}-${from + index}`))
    await send('POST', url + batches, recipients)
  }
}

/** Lets a partner send its e-mails, or stops it. */
export async function allow(url: string, { path }: BenchPartner, isAllowed: boolean): Promise<void> {
  await send('PUT', url + path, { disable_emails: !isAllowed })
}
