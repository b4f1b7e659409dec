import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import type { DrillClient } from '../client.ts'
import { campaignsOf, type InvitingCampaign, type MailDrillEvent } from './campaigns.ts'
import { invite, inviteOn, partnerAt } from './inviting.ts'
import {
  compareAnswers,
  compareCounters,
  compareStops,
  compareTaken,
  type MailRecount,
  recount,
  watchQuota,
} from './mail-comparing.ts'
import type { FaultyMailServer } from './mail-server.ts'
import { organize } from './organizing.ts'

/** Requests of each campaign at once. */
const INVITERS = 2
const POLL_MS = 500
/** Recipients more than a campaign has places for, and places, when those left are tried. */
const BEYOND = 5
const MAX_LEFT = 200

/** The partners of a drill, and the server that takes their e-mails. */
export interface Mailing {
  client: DrillClient
  event: MailDrillEvent
  server: FaultyMailServer
  seed: number
}

/**
 * Invites the recipients of all campaigns, no more of them than the share that `allowed` gives, until all are answered or `stop`. Meanwhile an
 * organizer stops partners and blocks recipients, and quotas are watched. `filled` gets each campaign whose recipients are answered.
 */
export async function inviteAll(
  { client, event, server, seed }: Mailing,
  allowed: () => number,
  stop: AbortSignal,
  filled: (campaign: InvitingCampaign) => void = () => {},
): Promise<void> {
  const over = new AbortController()
  const ended = AbortSignal.any([stop, over.signal])
  const campaigns = campaignsOf(event)
  const inviting = campaigns.map(async (campaign, n) => {
    const next = { number: 0 }
    const inviters = Array.from({ length: INVITERS }, (_, index) => {
      const chance = new Random(seed * 1_000 + n * INVITERS + index)
      return inviteOn(partnerAt(client, n + index), campaign, next, chance, allowed, ended)
    })
    await Promise.all(inviters)
    filled(campaign)
  })
  await Promise.all([
    Promise.all(inviting).finally(() => over.abort()),
    organize(partnerAt(client), event, server, new Random(seed + 1), ended),
    watch(partnerAt(client, 1), campaigns, ended),
  ])
}

async function watch(client: DrillClient, campaigns: InvitingCampaign[], stop: AbortSignal): Promise<void> {
  for (let n = 0; !stop.aborted; n++) {
    await watchQuota(client, campaigns[n % campaigns.length] as InvitingCampaign)
    await sleep(POLL_MS / 2)
  }
}

/** Waits until no invitation waits any more. */
export async function drained({ client, event, server }: Omit<Mailing, 'seed'>): Promise<void> {
  const { phase } = client
  for (const { name, token } of [...campaignsOf(event), event.probe]) {
    for (;;) {
      const waiting = await partnerAt(client).read(`partners/${token}/invitations.json?state=queued&per_page=1`)
      if (waiting.length === 0) break
      phase.waitFor(() => `the e-mails of ${name}; ${server.taken} e-mails are taken`)
      await sleep(POLL_MS, undefined, { signal: phase.signal })
    }
  }
}

/** Invites recipients to the places that are left, those given back among them, and some more; waits until nothing is left to send. */
export async function fillPlaces(mailing: Mailing): Promise<void> {
  const { event } = mailing
  const client = partnerAt(mailing.client)
  const { record, phase } = client
  for (const campaign of campaignsOf(event)) {
    const { left } = await client.read(`partners/${campaign.token}/campaign.json`)
    phase.waitFor(`the answer to the last recipients of ${campaign.name}`)
    const count = Math.min(left, MAX_LEFT)
    const addresses = Array.from({ length: count + BEYOND }, (_, n) => `last-${campaign.name}-${n}@example.org`)
    while (!(await invite(client, campaign, addresses))) await sleep(POLL_MS)
    const answers = record.answers.get(campaign.id)
    const got = addresses.filter((address) => answers?.get(address)).length
    if (got < count) record.violation('quota', 'places left cannot be used', [`${campaign.name}: ${got} of ${count}`])
  }
  await drained(mailing)
}

/** Makes all comparisons of e-mails with answers, lists and counters, and adds a line for each to `compared`; returns the lists. */
export async function compareMails({ client, event, server }: Mailing, compared: string[]): Promise<MailRecount> {
  const { record } = client
  const counted = await recount(client, event)
  compared.push(
    compareAnswers(record, counted),
    compareTaken(record, server.attempts, counted),
    compareStops(record, server.attempts, event, counted, server.confirmations),
    await compareCounters(client, event, counted),
  )
  return counted
}
