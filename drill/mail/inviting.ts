import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import { type DrillClient, MAX_BATCH_MS } from '../client.ts'
import { now } from '../record.ts'
import type { InvitingCampaign } from './campaigns.ts'

/** Recipients of a batch at most, and the share of a campaign's recipients. */
const MAX_BATCH = 1_000
const BATCH_SHARE = 0.05
/** Earlier recipients who are invited again with others. */
const AGAIN = 5
const RETRY_MS = 200
const RETRY_FOR_MS = 60_000
const PAUSE_MS = 20

/**
 * Invites the recipients of a campaign in batches, until all are answered or `stop`. No more than `allowed` gives, a share from 0 to 1, are invited
 * so far. Several of these may share `next`, the number of the next recipient.
 */
export async function inviteOn(
  client: DrillClient,
  campaign: InvitingCampaign,
  next: { number: number },
  chance: Random,
  allowed: () => number,
  stop: AbortSignal,
): Promise<void> {
  const { recipients } = campaign
  const largest = Math.min(MAX_BATCH, Math.ceil(recipients.length * BATCH_SHARE))
  while (next.number < recipients.length && !stop.aborted) {
    const size = 1 + chance.below(largest)
    if (next.number > allowed() * recipients.length) {
      await sleep(PAUSE_MS)
      continue
    }
    const from = next.number
    next.number += size
    const earlier = chance.chance(0.1) ? Array.from({ length: AGAIN }, () => recipients[chance.below(from + 1)]) : []
    const addresses = [...recipients.slice(from, from + size), ...(earlier as string[])]
    await sendBatch(client, campaign, addresses, chance)
  }
}

/** Sends a batch until it is answered: with a key or without, sometimes twice at once, and sometimes once more. */
async function sendBatch(
  client: DrillClient,
  campaign: InvitingCampaign,
  addresses: string[],
  chance: Random,
): Promise<void> {
  const { record } = client
  const key = chance.chance(0.5) ? crypto.randomUUID() : undefined
  const times = chance.chance(0.1) ? 2 : 1
  const until = now() + RETRY_FOR_MS * record.slack
  record.batches++
  for (;;) {
    const answers = await Promise.all(Array.from({ length: times }, () => invite(client, campaign, addresses, key)))
    if (answers.includes(true)) break
    if (now() > until) {
      return record.violation('recovery', 'a batch that was retried for a minute got no answer', [
        `${addresses.length} of ${campaign.name}, from ${addresses[0]}`,
      ])
    }
    record.repeats++
    await sleep(RETRY_MS)
  }
  if (!chance.chance(0.1)) return
  record.repeats++
  await invite(client, campaign, addresses, chance.chance(0.5) ? key : undefined)
}

/** A partner, who invites through gateway number `gateway` first. */
export function partnerAt(client: DrillClient, gateway = 0): DrillClient {
  return client.at(gateway, { maxMs: MAX_BATCH_MS, mayRefuse: true })
}

/** Invites recipients once; false without an answer. */
export async function invite(
  client: DrillClient,
  campaign: InvitingCampaign,
  addresses: string[],
  key?: string,
  gateway?: number,
): Promise<boolean> {
  const { record } = client
  const path = `partners/${campaign.token}/invitations/batch_create.json`
  const items = addresses.map((email) => ({ email, first_name: 'Ada' }))
  const { status, body } = await client.ask('POST', path, items, key, gateway)
  // Those beyond a quota are named in a refusal.
  if (status !== 201 && status !== 422) return false
  for (const [index, address] of addresses.entries()) {
    const { _id = null, errors } = body[index] as { _id?: string; errors?: { quota?: string[] } }
    if (!_id && !errors?.quota) {
      record.violation('accounted', 'a recipient is refused for another reason than the quota', [
        `${address} of ${campaign.name}: ${JSON.stringify(body[index])}`,
      ])
    }
    record.told(campaign, address, _id)
  }
  return true
}
