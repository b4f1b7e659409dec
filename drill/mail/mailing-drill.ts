import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import type { SystemPlan } from '@gatehouse/test/load/system.ts'
import { DrillClient } from '../client.ts'
import { compareTroubles } from '../comparing.ts'
import { make, makeEvent, makeGuests } from '../drill-event.ts'
import { MAILING_INVARIANTS } from '../invariants.ts'
import { type DrillRecord, now } from '../record.ts'
import { type DrillResult, runPhases } from '../running.ts'
import { inEvent } from '../scanning.ts'
import { type InvitingCampaign, makeProbe } from './campaigns.ts'
import { invite, partnerAt } from './inviting.ts'
import type { MailDrillOptions } from './mail-drill.ts'
import { mailFaults, PROCESSES } from './mail-faults.ts'
import { FaultyMailServer, type HandOverAttempt } from './mail-server.ts'

/** The deadline of each phase in ms; those of registering and sending are prolonged by the time for each guest and each fault. */
const DEADLINES = { registering: 120_000, sending: 240_000, comparing: 120_000 }
const GUEST_MS = 10
const FAULT_MS = 40_000
/** Guests who join while the mailing goes out, as a share of the others. */
const LATE_SHARE = 0.01
/** The last fault is injected before the mail server has taken as many e-mails, as a share of the guests. */
const SENT_SHARE = 0.8
const POLL_MS = 500
const MAX_BREAK_MS = 3_000
/** Claims of processes that died end within this time. */
const SETTLING_MS = 40_000

/** What a mailing counts. */
interface Counted {
  nb_recipients: number
  nb_email_sent: number
  unknown_recipients: number
  rejected_recipients: number
}

/** The event of the drill: its mailing, and a campaign whose recipients are invited after each fault. */
interface MailingEvent {
  category: string
  mailing: string
  probe: InvitingCampaign
  guests: Set<string>
}

const addressOf = (uid: string): string => `${uid}@example.org`

/**
 * Starts the real system with a mail server, injects faults while a mailing goes to all guests of an event, and compares what the mail server
 * took with what the mailing counts; undefined when interrupted.
 */
export async function runMailingDrill(options: MailDrillOptions): Promise<DrillResult | undefined> {
  const { recipients, harms, seed, say } = options
  const server = new FaultyMailServer(seed)
  const plan: SystemPlan = { processes: PROCESSES, settings: await server.start() }
  try {
    return await runPhases(plan, MAILING_INVARIANTS, options, async (system, { record, compared, details }, during) => {
      const registeringMs = DEADLINES.registering + recipients * GUEST_MS
      const event = await during('registering', registeringMs, (phase) =>
        makeMailing(new DrillClient(system, record, phase), recipients),
      )
      say(`a mailing to ${event.guests.size} guests begins`)
      const begun = now()
      const sendingMs = DEADLINES.sending + recipients * GUEST_MS + harms * FAULT_MS
      await during('sending', sendingMs, (phase) =>
        send(new DrillClient(system, record, phase), event, server, options),
      )
      const rate = server.taken / ((now() - begun) / 1_000)
      const counted = await during('comparing', DEADLINES.comparing, async (phase) => {
        const client = new DrillClient(system, record, phase)
        compared.push(compareTroubles(record))
        return compareMailing(client, event, server.attempts, compared)
      })
      const numbers = Object.entries(counted).map(([name, value]) => `${name} ${value}`)
      details.push(`${Math.round(rate)} e-mails/s, faults included`, `mailing: ${numbers.join(', ')}`)
    })
  } finally {
    await server.stop()
  }
}

/** Creates the event with its guests, and a mailing that goes on for those who join. */
async function makeMailing(client: DrillClient, count: number): Promise<MailingEvent> {
  await makeEvent(client)
  const category = await make(client, 'guest_categories', { name: 'Visitors' })
  const probe = await makeProbe(client, await make(client, 'invitation_types', { name: 'Evening' }))
  const uids = Array.from({ length: count }, (_, n) => `guest-${n}`)
  await makeGuests(client, uids, () => category, fieldsOf)
  const mailing = await make(client, 'mailings', {
    ...{ name: 'Codes', subject: 'Your code, {{first_name}}', message: 'Show this at the entrance: {{uid}}' },
    ...{ ongoing: true, closes_at: new Date(Date.now() + 86_400_000).toISOString() },
  })
  return { category, mailing, probe, guests: new Set(uids) }
}

/** What a guest has besides category and code. */
function fieldsOf(uid: string): object {
  return { first_name: 'Ada', email: addressOf(uid) }
}

/** Sends the mailing under faults. Meanwhile it is told to send again, paused and resumed, and guests join. */
async function send(
  client: DrillClient,
  { category, mailing, probe, guests }: MailingEvent,
  server: FaultyMailServer,
  { seed, recipients, harms, say }: MailDrillOptions,
): Promise<void> {
  const { record, phase } = client
  phase.waitFor(() => `${record.faults.length} of ${harms} faults; ${server.taken} e-mails taken`)
  const enough = new AbortController()
  const betweenFaults = (recipients * SENT_SHARE) / harms
  const injector = mailFaults(
    {
      client,
      chance: new Random(seed),
      say: (line) => say(`${line}; ${server.taken} e-mails taken`),
      // Spread over the whole mailing: how long it takes is not known.
      injected: async () => {
        while (server.taken < record.faults.length * betweenFaults)
          await sleep(POLL_MS, undefined, { signal: phase.signal })
        if (record.faults.length >= harms) enough.abort()
      },
    },
    server,
    (address, gateway) => invite(partnerAt(client, gateway), probe, [address], undefined, gateway),
  )
  const ended = AbortSignal.any([phase.signal, enough.signal])
  await client.insist('POST', inEvent(`mailings/${mailing}/send.json`))
  await Promise.all([
    injector.injectUntil(ended),
    organize(client.at(1), mailing, new Random(seed + 1), ended),
    join(client.at(1), category, guests, Math.ceil(recipients * LATE_SHARE)),
  ])
  await client.insist('POST', inEvent(`mailings/${mailing}/resume.json`))
  for (;;) {
    const { nb_recipients, ...counted } = await read(client, mailing)
    const done = counted.nb_email_sent + counted.unknown_recipients + counted.rejected_recipients
    if (nb_recipients === guests.size && done === guests.size) return
    phase.waitFor(() => `the mailing to end; ${done} of ${nb_recipients} are done, ${server.taken} e-mails are taken`)
    await sleep(POLL_MS, undefined, { signal: phase.signal })
  }
}

async function read(client: DrillClient, mailing: string): Promise<Counted> {
  const { nb_recipients, nb_email_sent, unknown_recipients, rejected_recipients } = await client.insist(
    'GET',
    inEvent(`mailings/${mailing}.json`),
  )
  return { nb_recipients, nb_email_sent, unknown_recipients, rejected_recipients }
}

/** Tells the mailing to send again, pauses it and lets it go on, until `stop`. */
async function organize(client: DrillClient, mailing: string, chance: Random, stop: AbortSignal): Promise<void> {
  const act = (action: string) => client.insist('POST', inEvent(`mailings/${mailing}/${action}.json`))
  while (!stop.aborted) {
    client.turn()
    if (chance.chance(0.5)) await act('send')
    else {
      await act('pause')
      await sleep(chance.below(MAX_BREAK_MS))
      await act('resume')
    }
    await sleep(chance.below(MAX_BREAK_MS))
  }
}

/** Lets guests join one after the other. */
async function join(client: DrillClient, category: string, guests: Set<string>, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const uid = `late-${number}`
    await make(client, 'guests', { guest_category_id: category, uid, ...fieldsOf(uid) })
    guests.add(uid)
    client.turn()
  }
}

/** Compares what the mail server took and refused with the guests and the numbers of the mailing. */
async function compareMailing(
  client: DrillClient,
  { mailing, guests, probe }: MailingEvent,
  attempts: readonly HandOverAttempt[],
  compared: string[],
): Promise<Counted> {
  const { record } = client
  const isProbe = new Set(record.answers.get(probe.id)?.keys())
  const ofMailing = attempts.filter(({ address }) => !isProbe.has(address))
  const byAddress = Map.groupBy(ofMailing, ({ address }) => address)
  const addresses = new Set([...guests].map(addressOf))
  for (const [address, tried] of byAddress) {
    const taken = tried.filter(({ isTaken }) => isTaken)
    const history = taken.map(({ id, at }) => `${address}, ${id}, at ${Math.round(at)} ms`)
    if (taken.length > 1) record.violation('mailedOnce', 'a guest got a mailing more than once', history)
    if (!addresses.has(address)) record.violation('mailedOnce', 'somebody got it who is no guest', history)
  }
  const outcomes = [...addresses].map((address) => outcomeOf(byAddress.get(address) ?? []))
  const of = (wanted: string): number => outcomes.filter((each) => each === wanted).length
  const found = { taken: of('taken'), refused: of('refused'), open: of('open') }
  const counted = await settled(client, mailing, found)
  compareCounts(record, counted, found, addresses.size)
  compared.push(`${ofMailing.length} attempts to hand an e-mail over, to ${addresses.size} guests, with the mailing`)
  return counted
}

/** What the mail server did at last with the e-mail to a guest. */
function outcomeOf(attempts: readonly HandOverAttempt[]): 'taken' | 'refused' | 'open' {
  if (attempts.some(({ isTaken }) => isTaken)) return 'taken'
  return attempts.some(({ end }) => end === 'refused') ? 'refused' : 'open'
}

interface Found {
  taken: number
  refused: number
  open: number
}

/** What the mailing counts once the claims of dead processes have ended. */
async function settled(client: DrillClient, mailing: string, found: Found): Promise<Counted> {
  const until = now() + SETTLING_MS * client.record.slack
  for (;;) {
    const counted = await read(client, mailing)
    if (unknownOf(counted, found) === counted.unknown_recipients || now() > until) return counted
    await sleep(POLL_MS, undefined, { signal: client.phase.signal })
  }
}

/** Those of whose e-mail the mailing cannot know: the answer of the mail server was lost, or it was never begun there. */
function unknownOf({ nb_email_sent, rejected_recipients }: Counted, { taken, refused, open }: Found): number {
  return taken - nb_email_sent + (refused - rejected_recipients) + open
}

function compareCounts(record: DrillRecord, counted: Counted, found: Found, guests: number): void {
  const told = [JSON.stringify(counted), JSON.stringify(found), `${guests} guests`]
  const done = counted.nb_email_sent + counted.unknown_recipients + counted.rejected_recipients
  if (counted.nb_recipients !== guests || done !== guests)
    record.violation('accounted', 'a guest has come to no end', told)
  const isMore = counted.nb_email_sent > found.taken || counted.rejected_recipients > found.refused
  if (isMore || unknownOf(counted, found) !== counted.unknown_recipients)
    record.violation('outcomes', 'the mailing counts what the mail server did not do', told)
}
