import { Random } from '@gatehouse/cli/demo/random.ts'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import type { SystemPlan } from '@gatehouse/test/load/system.ts'
import { DrillClient } from '../client.ts'
import { compareTroubles } from '../comparing.ts'
import { makeEvent } from '../drill-event.ts'
import { MAIL_INVARIANTS } from '../invariants.ts'
import { now } from '../record.ts'
import { type DrillResult, type RunOptions, runPhases } from '../running.ts'
import { campaignsOf, makeCampaigns } from './campaigns.ts'
import { invite, partnerAt } from './inviting.ts'
import { mailFaults, PROCESSES } from './mail-faults.ts'
import { FaultyMailServer } from './mail-server.ts'
import { compareMails, drained, fillPlaces, inviteAll, type Mailing } from './mailing.ts'

/** Faults are injected until the mail server has taken as many e-mails, as a share of the recipients who are to be accepted. */
const SENT_SHARE = 0.8

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

/**
 * Starts the real system with a mail server, injects faults while partners invite, and compares answers, lists, counters and what the mail
 * server took; undefined when interrupted.
 */
export async function runMailDrill(options: MailDrillOptions): Promise<DrillResult | undefined> {
  const { recipients, harms, seed, say } = options
  const server = new FaultyMailServer(seed)
  const plan: SystemPlan = { processes: PROCESSES, settings: await server.start() }
  try {
    return await runPhases(plan, MAIL_INVARIANTS, options, async (system, { record, compared, details }, during) => {
      const event = await during('registering', DEADLINES.registering, async (phase) => {
        phase.waitFor('an event with its partners')
        const client = new DrillClient(system, record, phase)
        await makeEvent(client)
        return makeCampaigns(client, recipients)
      })
      say(`${event.partners.length} partners with ${campaignsOf(event).length} campaigns begin to invite`)
      const sendingMs = DEADLINES.sending + recipients * RECIPIENT_MS + harms * FAULT_MS
      const mailingIn = (phase: Phase): Mailing => {
        return { client: new DrillClient(system, record, phase), event, server, seed }
      }
      const rate = await during('sending', sendingMs, (phase) => send(mailingIn(phase), options))
      const { total } = await during('comparing', DEADLINES.comparing, (phase) => {
        compared.push(compareTroubles(record))
        return compareMails(mailingIn(phase), compared)
      })
      record.invitations = { ...total }
      const numbers = Object.entries(total).map(([name, value]) => `${name} ${value}`)
      details.push(
        `batches: ${record.batches}, and ${record.repeats} repeats of them; ${Math.round(rate)} e-mails/s, faults included`,
        `invitations: ${numbers.join(', ')}`,
      )
    })
  } finally {
    await server.stop()
  }
}

/** Invites and injects faults, and waits until nothing is left to send. Returns the e-mails taken a second. */
async function send(mailing: Mailing, { seed, recipients, harms, say }: MailDrillOptions): Promise<number> {
  const { client, server, event } = mailing
  const { record, phase } = client
  const begun = now()
  const unfilled = new Set(campaignsOf(event))
  phase.waitFor(
    () =>
      `${record.faults.length} of ${harms} faults, and ${unfilled.size} campaigns to be filled; ${record.accepted} accepted, ${server.taken} e-mails taken`,
  )
  const enough = new AbortController()
  const injector = mailFaults(
    {
      client,
      chance: new Random(seed),
      say: (line) => say(`${line}; ${record.accepted} accepted, ${server.taken} e-mails taken`),
      injected: () => {
        if (record.faults.length >= harms && server.taken > recipients * SENT_SHARE) enough.abort()
      },
    },
    server,
    (address, gateway) => invite(partnerAt(client, gateway), event.probe, [address], undefined, gateway),
  )
  await Promise.all([
    inviteAll(
      mailing,
      () => record.faults.length / harms,
      phase.signal,
      (campaign) => unfilled.delete(campaign),
    ),
    injector.injectUntil(AbortSignal.any([phase.signal, enough.signal])),
  ])
  await drained(mailing)
  const rate = server.taken / ((now() - begun) / 1_000)
  await fillPlaces(mailing)
  return rate
}
