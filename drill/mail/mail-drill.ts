import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import { Client } from '../client.ts'
import { compareTroubles } from '../comparing.ts'
import { makeEvent } from '../drill-event.ts'
import type { Phase } from '../phases.ts'
import { now } from '../record.ts'
import { type Outcome, type RunOptions, runPhases } from '../running.ts'
import { type Cast, type DrillSystem, STORES } from '../system.ts'
import { type Campaign, campaignsOf, type MailEvent, makeCampaigns } from './campaigns.ts'
import { invite, inviteOn, partnersClient } from './inviting.ts'
import {
  compareAnswers,
  compareCounters,
  compareStops,
  compareTaken,
  type Recount,
  recount,
  watchQuota,
} from './mail-comparing.ts'
import { mailFaults, PROCESSES } from './mail-faults.ts'
import { MailRecord } from './mail-record.ts'
import { MailServer } from './mail-server.ts'
import { mailSettings } from './mail-settings.ts'
import { organize } from './organizing.ts'

/** Requests of each campaign at once. */
const INVITERS = 2
const POLL_MS = 500
/** Faults are injected until the mail server has taken as many e-mails, as a share of the recipients who are to be accepted. */
const SENT_SHARE = 0.8
/** Recipients more than a campaign has places for, and places, when those left are tried. */
const BEYOND = 5
const MAX_LEFT = 200

/** The deadline of each phase in ms; that of sending is prolonged by the time for each recipient and each fault. */
const DEADLINES = { registering: 60_000, sending: 240_000, comparing: 300_000 }
const RECIPIENT_MS = 10
const FAULT_MS = 40_000

/** How to run a drill with e-mails. */
export interface MailDrillOptions extends RunOptions {
  /** The least number of recipients who are accepted. */
  recipients: number
  /** How many faults are injected at least: they go on until most e-mails are sent. */
  harms: number
}

/** The result of a drill with e-mails. */
export interface MailOutcome extends Outcome<MailRecord> {
  /** E-mails which the mail server took a second, while there were any. */
  rate: number
  /** Unfinished drills have none. */
  recount?: Recount
}

/**
 * Starts the real system with a mail server, injects faults while partners invite, and compares answers, lists, counters and what the mail
 * server took; undefined when interrupted.
 */
export async function runMailDrill(options: MailDrillOptions): Promise<MailOutcome | undefined> {
  const server = new MailServer(options.seed)
  const cast: Cast = {
    processes: PROCESSES,
    stores: STORES,
    settings: mailSettings(await server.start()),
  }
  const ended: Pick<MailOutcome, 'rate' | 'recount'> = { rate: 0 }
  try {
    const outcome = await runPhases(cast, new MailRecord(options.slack), options, async (system, result, during) => {
      const { slack, recipients, harms, say } = options
      const event = await during('registering', DEADLINES.registering * slack, async (phase) => {
        phase.waitFor('an event with its partners')
        const client = new Client(system, result.record, phase)
        await makeEvent(client, system.account_id)
        return makeCampaigns(client, recipients)
      })
      say(`${event.partners.length} partners with ${campaignsOf(event).length} campaigns begin to invite`)
      const sendingMs = (DEADLINES.sending + recipients * RECIPIENT_MS + harms * FAULT_MS) * slack
      ended.rate = await during('sending', sendingMs, (phase) => send(system, server, event, options, result, phase))
      ended.recount = await during('comparing', DEADLINES.comparing * slack, (phase) =>
        compare(system, server, event, result, phase),
      )
    })
    return outcome && { ...outcome, ...ended }
  } finally {
    await server.stop()
  }
}

/** Invites and injects faults, and waits until nothing is left to send. Gives the e-mails taken a second. */
async function send(
  system: DrillSystem,
  server: MailServer,
  event: MailEvent,
  { seed, recipients, harms, say }: MailDrillOptions,
  { record }: Outcome<MailRecord>,
  phase: Phase,
): Promise<number> {
  const begun = now()
  const campaigns = campaignsOf(event)
  const client = (n: number): Client => partnersClient(system, record, phase, n)
  const unfilled = new Set(campaigns.map(({ name }) => name))
  phase.waitFor(
    () =>
      `${record.faults.length} of ${harms} faults, and ${unfilled.size} campaigns to be filled; ${record.accepted} accepted, ${server.taken} e-mails taken`,
  )
  const [enough, over] = [new AbortController(), new AbortController()]
  const injector = mailFaults(
    {
      system,
      record,
      chance: new Random(seed),
      phase,
      say: (line) => say(`${line}; ${record.accepted} accepted, ${server.taken} e-mails taken`),
      injected: () => {
        if (record.faults.length >= harms && server.taken > recipients * SENT_SHARE) enough.abort()
      },
    },
    server,
    (address, gateway) => invite(client(gateway), record, event.probe, [address], undefined, gateway),
  )
  const stop = AbortSignal.any([phase.signal, over.signal])
  const inviting = campaigns.map(async (campaign, n) => {
    const next = { number: 0 }
    const inviters = Array.from({ length: INVITERS }, (_, index) => {
      const chance = new Random(seed * 1_000 + n * INVITERS + index)
      return inviteOn(client(n + index), record, campaign, next, chance, () => record.faults.length / harms, stop)
    })
    await Promise.all(inviters)
    unfilled.delete(campaign.name)
  })
  await Promise.all([
    Promise.all(inviting).finally(() => over.abort()),
    injector.injectUntil(AbortSignal.any([phase.signal, enough.signal])),
    organize(client(0), record, event, server, new Random(seed + 1), stop),
    watch(client(1), record, campaigns, stop),
  ])
  await drained(client(0), event, server, phase)
  const rate = server.taken / ((now() - begun) / 1_000)
  await tryPlacesLeft(client(0), record, event, phase)
  await drained(client(0), event, server, phase)
  return rate
}

async function watch(client: Client, record: MailRecord, campaigns: Campaign[], stop: AbortSignal): Promise<void> {
  for (let n = 0; !stop.aborted; n++) {
    await watchQuota(client, record, campaigns[n % campaigns.length] as Campaign)
    await sleep(POLL_MS / 2)
  }
}

/** Waits until no invitation waits any more. */
export async function drained(client: Client, event: MailEvent, server: MailServer, phase: Phase): Promise<void> {
  for (const { name, token } of [...campaignsOf(event), event.probe]) {
    for (;;) {
      const waiting = await client.read(`partners/${token}/invitations.json?state=queued&per_page=1`)
      if (waiting.length === 0) break
      phase.waitFor(() => `the e-mails of ${name}; ${server.taken} e-mails are taken`)
      await sleep(POLL_MS, undefined, { signal: phase.signal })
    }
  }
}

/** Places which are left, those given back among them, can be used. */
async function tryPlacesLeft(client: Client, record: MailRecord, event: MailEvent, phase: Phase): Promise<void> {
  for (const campaign of campaignsOf(event)) {
    const { left } = await client.read(`partners/${campaign.token}/campaign.json`)
    phase.waitFor(`the answer to the last recipients of ${campaign.name}`)
    const count = Math.min(left, MAX_LEFT)
    const addresses = Array.from({ length: count + BEYOND }, (_, n) => `last-${campaign.name}-${n}@example.org`)
    while (!(await invite(client, record, campaign, addresses))) await sleep(POLL_MS)
    const answers = record.answers.get(campaign.id)
    const got = addresses.filter((address) => answers?.get(address)).length
    if (got < count) record.violation('quota', 'places left can not be used', [`${campaign.name}: ${got} of ${count}`])
  }
}

async function compare(
  system: DrillSystem,
  server: MailServer,
  event: MailEvent,
  { record, compared }: Outcome<MailRecord>,
  phase: Phase,
): Promise<Recount> {
  const client = new Client(system, record, phase)
  compared.push(compareTroubles(record))
  const counted = await recount(client, event)
  compared.push(
    compareAnswers(record, counted),
    compareTaken(record, server.attempts, counted),
    compareStops(record, server, event, counted),
    await compareCounters(client, record, event, counted, phase),
  )
  return counted
}
