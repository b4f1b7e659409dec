import { Random } from '@gatehouse/cli/demo/random.ts'
import type { SystemPlan } from '@gatehouse/test/load/system.ts'
import { DrillClient } from '../client.ts'
import { compareTroubles } from '../comparing.ts'
import { makeEvent } from '../drill-event.ts'
import { now } from '../record.ts'
import { type DrillResult, type RunOptions, runPhases } from '../running.ts'
import { campaignsOf, makeCampaigns } from './campaigns.ts'
import { invite, partnersClient } from './inviting.ts'
import type { MailRecount } from './mail-comparing.ts'
import { mailFaults, PROCESSES } from './mail-faults.ts'
import { MailRecord } from './mail-record.ts'
import { FaultyMailServer } from './mail-server.ts'
import { mailSettings } from './mail-settings.ts'
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

/** The result of a drill with e-mails. */
export interface MailOutcome extends DrillResult<MailRecord> {
  /** E-mails that the mail server took a second, while there were any. */
  rate: number
  /** Unfinished drills have none. */
  recount?: MailRecount
}

/**
 * Starts the real system with a mail server, injects faults while partners invite, and compares answers, lists, counters and what the mail
 * server took; undefined when interrupted.
 */
export async function runMailDrill(options: MailDrillOptions): Promise<MailOutcome | undefined> {
  const server = new FaultyMailServer(options.seed)
  const cast: SystemPlan = {
    processes: PROCESSES,
    settings: mailSettings(await server.start()),
  }
  const ended: Pick<MailOutcome, 'rate' | 'recount'> = { rate: 0 }
  try {
    const outcome = await runPhases(cast, new MailRecord(options.slack), options, async (system, result, during) => {
      const { slack, recipients, harms, say } = options
      const event = await during('registering', DEADLINES.registering * slack, async (phase) => {
        phase.waitFor('an event with its partners')
        const client = new DrillClient(system, result.record, phase)
        await makeEvent(client, system.account_id)
        return makeCampaigns(client, recipients)
      })
      say(`${event.partners.length} partners with ${campaignsOf(event).length} campaigns begin to invite`)
      const sendingMs = (DEADLINES.sending + recipients * RECIPIENT_MS + harms * FAULT_MS) * slack
      const mailing = { system, record: result.record, event, server, seed: options.seed }
      ended.rate = await during('sending', sendingMs, (phase) => send({ ...mailing, phase }, options))
      ended.recount = await during('comparing', DEADLINES.comparing * slack, (phase) => {
        result.compared.push(compareTroubles(result.record))
        return compareMails({ ...mailing, phase }, new DrillClient(system, result.record, phase), result.compared)
      })
    })
    return outcome && { ...outcome, ...ended }
  } finally {
    await server.stop()
  }
}

/** Invites and injects faults, and waits until nothing is left to send. Gives the e-mails taken a second. */
async function send(mailing: Mailing, { seed, recipients, harms, say }: MailDrillOptions): Promise<number> {
  const { system, server, event, record, phase } = mailing
  const begun = now()
  const unfilled = new Set(campaignsOf(event))
  phase.waitFor(
    () =>
      `${record.faults.length} of ${harms} faults, and ${unfilled.size} campaigns to be filled; ${record.accepted} accepted, ${server.taken} e-mails taken`,
  )
  const enough = new AbortController()
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
    (address, gateway) =>
      invite(partnersClient(system, record, phase, gateway), record, event.probe, [address], undefined, gateway),
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
