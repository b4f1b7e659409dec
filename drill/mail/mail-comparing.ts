import { setTimeout as sleep } from 'node:timers/promises'
import type { DrillClient } from '../client.ts'
import type { Invariant } from '../invariants.ts'
import type { DrillRecord } from '../record.ts'
import { now } from '../record.ts'
import { inEvent } from '../scanning.ts'
import { campaignsOf, type InvitingCampaign, type MailDrillEvent } from './campaigns.ts'
import type { HandOverAttempt } from './mail-server.ts'

/** E-mails of a batch, which may be under way when a partner is stopped (docs/invitations.md). */
const BATCH_SIZE = 20
/** A hand-over that had begun when its recipient was blocked is over within this time: a pause of its process, and a connection's timeout. */
const UNDER_WAY_MS = 15_000
/** Claims of processes that died end within this time. */
const SETTLING_MS = 40_000
const POLL_MS = 500

/** An invitation as listed. */
export interface ListedInvitation {
  _id: string
  email: string
  state: string
  sent_at: string | null
  answer: string | null
  confirmed_at: string | null
  created_at: string
}

/** The numbers of invitations of a campaign. */
interface Numbers {
  nb_recipients: number
  nb_recipients_email_sent: number
  nb_email_sent: number
  unknown_recipients: number
  rejected_recipients: number
  blacklisted_recipients: number
  unsubscribed_recipients: number
  used: number
}

/** What the lists say at the end. */
export interface MailRecount {
  byCampaign: Map<string, { campaign: InvitingCampaign; listed: ListedInvitation[]; numbers: Numbers }>
  /** Of all campaigns. */
  total: Numbers
}

function numbersOf(listed: ListedInvitation[]): Numbers {
  const of = (state: string): number => listed.filter((each) => each.state === state).length
  // Who unsubscribes got an e-mail, whether or not that is known.
  const unsubscribed = listed.filter(({ state }) => state === 'unsubscribed')
  const sent = of('sent') + unsubscribed.filter(({ sent_at }) => sent_at !== null).length
  const unknown = of('unknown') + unsubscribed.filter(({ sent_at }) => sent_at === null).length
  return {
    nb_recipients: listed.length,
    nb_recipients_email_sent: sent,
    nb_email_sent: sent,
    unknown_recipients: unknown,
    rejected_recipients: of('rejected'),
    blacklisted_recipients: of('blocked'),
    unsubscribed_recipients: unsubscribed.length,
    used: sent + unknown + of('queued'),
  }
}

function summed(all: Numbers[]): Numbers {
  const sum = numbersOf([])
  for (const each of all) for (const name of Object.keys(sum) as (keyof Numbers)[]) sum[name] += each[name]
  return sum
}

/** Reads all lists of invitations. */
export async function recount(client: DrillClient, event: MailDrillEvent): Promise<MailRecount> {
  const byCampaign: MailRecount['byCampaign'] = new Map()
  for (const campaign of [...campaignsOf(event), event.probe]) {
    const path = inEvent(`invitation_types/${campaign.type}/partner_campaigns/${campaign.id}/invitations.json`)
    const listed = await client.list<ListedInvitation>(path)
    byCampaign.set(campaign.id, { campaign, listed, numbers: numbersOf(listed) })
  }
  return { byCampaign, total: summed([...byCampaign.values()].map(({ numbers }) => numbers)) }
}

/** Compares what partners were answered with the lists: everyone who was accepted is there, once, and has come to an end. */
export function compareAnswers(record: DrillRecord, { byCampaign }: MailRecount): string {
  let accepted = 0
  for (const { campaign, listed } of byCampaign.values()) {
    const wrong = (kind: string, what: string): void =>
      record.violation('accounted', kind, [`${campaign.name}: ${what}`])
    const byAddress = new Map(listed.map((each) => [each.email, each]))
    if (byAddress.size < listed.length) wrong('a recipient is listed twice', `${listed.length - byAddress.size} more`)
    const answers = record.answers.get(campaign.id) ?? new Map<string, string | null>()
    for (const [address, id] of answers) {
      const found = byAddress.get(address)
      if (id) accepted++
      if (id && found?._id !== id) wrong('an accepted recipient is not listed', `${address}, ${id}; ${found?._id}`)
      if (!id && found) wrong('a recipient beyond the quota is listed', JSON.stringify(found))
    }
    for (const each of listed) {
      if (!answers.has(each.email)) wrong('a recipient is listed whom nobody invited', JSON.stringify(each))
      if (each.state === 'queued') wrong('a recipient has come to no end', JSON.stringify(each))
    }
  }
  return `${accepted} accepted recipients with the lists`
}

/** Compares the lists with what the mail server took, of these attempts. */
export function compareTaken(
  record: DrillRecord,
  attempts: readonly HandOverAttempt[],
  { byCampaign }: MailRecount,
): string {
  const all = attempts.filter(({ isTaken }) => isTaken)
  const taken = Map.groupBy(all, ({ id }) => id)
  const say = (each: HandOverAttempt): string => `${each.address}, ${each.id}, at ${Math.round(each.at)} ms`
  for (const times of taken.values())
    if (times.length > 1) record.violation('mailedOnce', 'a recipient got more than one e-mail', times.map(say))
  for (const { campaign, listed, numbers } of byCampaign.values()) {
    let got = 0
    const reached = new Set<string>()
    for (const each of listed) {
      const times = taken.get(each._id)?.length ?? 0
      taken.delete(each._id)
      got += times
      if (times > 0) reached.add(each.email)
      const isSent = each.state === 'sent' || (each.state === 'unsubscribed' && each.sent_at !== null)
      const isUnknown = each.state === 'unknown' || each.state === 'unsubscribed'
      const wrong = isSent ? times === 0 : times > 0 && !isUnknown
      if (wrong)
        record.violation('outcomes', 'a state is not what the mail server did', [
          `${campaign.name}: taken ${times} times`,
          JSON.stringify(each),
          ...attempts.filter(({ id }) => id === each._id).map(say),
        ])
    }
    const { nb_email_sent: sent, unknown_recipients: unknown } = numbers
    if (got < sent || got > sent + unknown)
      record.violation('outcomes', 'more or fewer e-mails were taken than the list says', [
        `${campaign.name}: ${got} taken, ${sent} sent, ${unknown} unknown`,
      ])
    if (reached.size > campaign.quota)
      record.violation('quota', 'more recipients got e-mails than the quota allows', [
        `${campaign.name}: ${reached.size}`,
      ])
  }
  for (const times of taken.values())
    record.violation('mailedOnce', 'an e-mail went to an address that is not listed', times.map(say))
  return `${attempts.length} attempts to hand an e-mail over, of which ${all.length} were taken, with the lists`
}

/** Compares the attempts with the times in which there should have been none. Returns also the most that were under way. */
export function compareStops(
  record: DrillRecord,
  attempts: readonly HandOverAttempt[],
  event: MailDrillEvent,
  { byCampaign }: MailRecount,
  confirmations: readonly HandOverAttempt[] = [],
): string {
  const partnerOf = new Map<string, string>()
  for (const { campaign, listed } of byCampaign.values())
    for (const { _id } of listed) partnerOf.set(_id, campaign.partner)
  const ofPartner = Map.groupBy(attempts, ({ id }) => partnerOf.get(id))
  let most = 0
  for (const { partner, from, to, tried } of record.halts) {
    const late = (ofPartner.get(partner) ?? []).filter(({ at }) => at > from && at < to)
    // A connection that breaks before the message is begun has another attempt right away.
    const mails = new Set(late.map(({ id }) => id)).size
    most = Math.max(most, mails)
    if (mails > BATCH_SIZE)
      record.violation('stopped', 'more e-mails left after disable_emails than were under way', [
        `partner ${event.partners.findIndex(({ id }) => id === partner)}, ${mails} from ${Math.round(from)} to ${Math.round(to)} ms, ${tried} tries of the request`,
        late.map(({ address, at }) => `${address} ${Math.round(at)}`).join(', '),
      ])
  }
  const byAddress = Map.groupBy([...attempts, ...confirmations], ({ address }) => address)
  for (const { why, address, at } of record.stops) {
    const late = (byAddress.get(address) ?? []).filter((each) => each.at > at + UNDER_WAY_MS * record.slack)
    if (late.length > 0)
      record.violation('stopped', 'an e-mail went to an address that was stopped', [
        `${address}, ${why} at ${Math.round(at)} ms`,
        ...late.map((each) => `attempt at ${Math.round(each.at)} ms, invitation ${each.id}`),
      ])
  }
  return `${record.halts.length} times without e-mails, with ${most} under way at most, and ${record.stops.length} stopped addresses, with the attempts`
}

/** Compares counters with a recount of the lists. Claims of dead processes may still have to end. */
export async function compareCounters(
  client: DrillClient,
  { partners, probe }: MailDrillEvent,
  { byCampaign }: MailRecount,
): Promise<string> {
  const { record, phase } = client
  const until = now() + SETTLING_MS * record.slack
  for (;;) {
    const different: [Invariant, string][] = []
    let compared = 0
    const compare = (what: string, expected: object, given: { [name: string]: unknown }): void => {
      for (const [name, value] of Object.entries(expected)) {
        compared++
        if (given[name] !== value) different.push(['recounted', `${what}: ${name} is ${given[name]}, counted ${value}`])
      }
    }
    for (const { id, quota, campaigns } of [...partners, { id: probe.partner, quota: -1, campaigns: [probe] }]) {
      const all = campaigns.map((each) => byCampaign.get(each.id)?.numbers as Numbers)
      for (const [index, each] of campaigns.entries()) {
        const numbers = all[index] as Numbers
        compare(each.name, numbers, await client.read(`partners/${each.token}/campaign.json`))
        if (numbers.used > each.quota) different.push(['quota', `${each.name}: ${numbers.used} of ${each.quota}`])
      }
      const { used, unknown_recipients, ...counters } = summed(all)
      compare(`partner of ${campaigns[0]?.name}`, counters, await client.read(inEvent(`partners/${id}.json`)))
      if (quota >= 0 && used > quota) different.push(['quota', `partner of ${campaigns[0]?.name}: ${used} of ${quota}`])
    }
    if (different.length > 0 && now() < until) {
      phase.waitFor(`counters to be as a recount says, e.g. ${different[0]?.[1]}`)
      await sleep(POLL_MS, undefined, { signal: phase.signal })
      continue
    }
    for (const [invariant, what] of different) record.violation(invariant, 'a number is wrong at the end', [what])
    return `${compared} counters with a recount of the lists`
  }
}

/** Checks the quota of a campaign by what its partner is shown right now. */
export async function watchQuota(client: DrillClient, { name, token, quota }: InvitingCampaign): Promise<void> {
  const { body } = await client.ask('GET', `partners/${token}/campaign.json`)
  const used = body?.used
  if (used > quota) client.record.violation('quota', 'a quota is exceeded', [`${name}: ${used} of ${quota}`])
}
