import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import type { StoredCheckIn } from '@gatehouse/cli/demo/recount.ts'
import { backUp } from '@gatehouse/local/backup'
import { execute } from '@gatehouse/local/execute'
import type { Receiver } from '@gatehouse/test/harness/receiver.ts'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import type { RealSystem, SystemPlan } from '@gatehouse/test/load/system.ts'
import { DrillClient } from '../client.ts'
import { compareDelivered, receiveEvents } from '../cluster/webhook.ts'
import { compareCheckIns } from '../comparing.ts'
import { compareWithRecount } from '../counting.ts'
import { type DrillEvent, type ExhibitorAccess, makeDrillEvent, makeExhibitor } from '../drill-event.ts'
import { DeviceGate } from '../gate.ts'
import { scanOn } from '../load.ts'
import { campaignsOf, type MailDrillEvent, makeCampaigns } from '../mail/campaigns.ts'
import { invite, inviteOn, partnersClient } from '../mail/inviting.ts'
import { compareAnswers, compareCounters, compareTaken, recount } from '../mail/mail-comparing.ts'
import { FaultyMailServer } from '../mail/mail-server.ts'
import { mailSettings } from '../mail/mail-settings.ts'
import { drained } from '../mail/mailing.ts'
import { now, timeOf } from '../record.ts'
import { type DrillResult, type RunOptions, runPhases } from '../running.ts'
import { inEvent, sendAll } from '../scanning.ts'
import { collectOn } from './collecting.ts'
import { acceptByLinks, compareRepeated } from './restore-comparing.ts'
import { type Moments, RestoreRecord } from './restore-record.ts'
import { attemptsKept, type Dated, type Undone, undo } from './undoing.ts'

const PROCESSES = [
  ...['sso', 'guests', 'checkin-1', 'checkin-2', 'partners', 'mail', 'leads', 'hooks', 'gateway-1', 'gateway-2'],
]
const SCANNERS = 12
const COLLECTORS = 2
const GUESTS_PER_SECOND = 10
const RECIPIENTS_PER_SECOND = 20
const MAX_GUESTS = 2_000
/** One e-mail of this many keeps its link. */
const LINK_OF = 10
/** What came of a delivery is stored within this time. */
const SETTLED_MS = 3_000
/** The share of the recipients who are invited before the backup ends. */
const INVITED_BEFORE = 0.6
/** The load goes on for so long after the backup at least. */
const AFTER_MS = 4_000
/** hooks is no later than this with check-ins. */
const LATE_MS = 120_000
const ROOT = join(import.meta.dirname, '../..')
const RETRY_MS = 200

/** The deadline of each phase in ms; that of the load is added to its time. */
const DEADLINES = { registering: 180_000, loading: 240_000, comparing: 300_000 }

/** How to run a drill that restores a backup. */
export interface RestoreDrillOptions extends RunOptions {
  /** How long the load lasts until everything is destroyed; the backup begins after half of it. */
  seconds: number
}

/** The result of a drill that restores a backup. Unfinished drills have no more than a {@link DrillResult}. */
export interface RestoreOutcome extends DrillResult<RestoreRecord> {
  moments?: Moments
  undone?: Undone
  /** Scans that devices sent again, and e-mails and deliveries that came again, as they may. */
  again?: { scans: number; mails: number; deliveries: number }
}

/** What is at the event of the drill. */
interface Scene {
  drillEvent: DrillEvent
  partners: MailDrillEvent
  exhibitor: ExhibitorAccess
  receiver: Receiver
  server: FaultyMailServer
}

/**
 * Starts the real system, takes a backup under load, destroys all data a while later, restores the backup, and compares what is there with what was
 * answered; undefined when interrupted.
 */
export async function runRestoreDrill(options: RestoreDrillOptions): Promise<RestoreOutcome | undefined> {
  const server = new FaultyMailServer(options.seed, LINK_OF)
  const cast: SystemPlan = {
    processes: PROCESSES,
    settings: {
      ...mailSettings(await server.start()),
      GATEHOUSE_ALLOW_PRIVATE_HOOKS: '1',
      HOOK_TIMEOUT_MS: '2000',
    },
  }
  const ended: Pick<RestoreOutcome, 'moments' | 'undone' | 'again'> = {}
  try {
    const outcome = await runPhases(cast, new RestoreRecord(options.slack), options, async (system, result, during) => {
      const { slack, say, seconds } = options
      const { record } = result
      const scene = await during('registering', DEADLINES.registering * slack, (phase) =>
        register(system, record, server, options, phase),
      )
      say('guests, partners, an exhibitor and a webhook are registered; the load begins')
      const loadingMs = seconds * 1_000 + DEADLINES.loading * slack
      const moments = await during('loading', loadingMs, (phase) => load(system, record, scene, options, phase))
      ended.moments = moments
      const comparison = await during('comparing', DEADLINES.comparing * slack, (phase) =>
        compare(system, result, scene, moments, phase),
      )
      Object.assign(ended, comparison)
      await scene.receiver.close()
    })
    return outcome && { ...outcome, ...ended }
  } finally {
    await server.stop()
  }
}

async function register(
  system: RealSystem,
  record: RestoreRecord,
  server: FaultyMailServer,
  { seconds }: RestoreDrillOptions,
  phase: Phase,
): Promise<Scene> {
  const client = new DrillClient(system, record, phase)
  const guests = Math.min(MAX_GUESTS, Math.ceil(seconds * GUESTS_PER_SECOND) + 50)
  const drillEvent = await makeDrillEvent(client, system.account_id, guests, phase)
  phase.waitFor('partners, an exhibitor and a webhook')
  await client.retry('PUT', inEvent(`guest_categories/${drillEvent.category}.json`), { rsvp_enabled: true })
  const partners = await makeCampaigns(client, Math.ceil(seconds * RECIPIENTS_PER_SECOND), drillEvent.category)
  return {
    drillEvent,
    partners,
    exhibitor: await makeExhibitor(client),
    receiver: await receiveEvents(client, ['check_in.created']),
    server,
  }
}

/** Runs the load, takes a backup of it, destroys everything and restores it. Devices go on until they are answered. */
async function load(
  system: RealSystem,
  record: RestoreRecord,
  { drillEvent, partners, exhibitor, receiver }: Scene,
  { seconds, seed, say }: RestoreDrillOptions,
  phase: Phase,
): Promise<Moments> {
  const began = now()
  const over = new AbortController()
  const stop = AbortSignal.any([phase.signal, over.signal])
  const progress = (): number => Math.min(1, (now() - began) / (seconds * 1_000))
  let ended: number | undefined
  // Some are invited after the backup, however long that takes.
  const invited = (): number =>
    ended === undefined ? Math.min(INVITED_BEFORE, progress()) : INVITED_BEFORE + (now() - ended) / AFTER_MS
  const chance = (n: number): Random => new Random(seed * 1_000 + n)
  const gate = new DeviceGate()
  const devices = [
    ...Array.from({ length: SCANNERS }, (_, n) =>
      scanOn(new DrillClient(system, record, phase, n), record, drillEvent, chance(n), progress, gate, stop),
    ),
    ...Array.from({ length: COLLECTORS }, (_, n) =>
      collectOn(new DrillClient(system, record, phase, n), record, drillEvent, exhibitor, chance(100 + n), stop),
    ),
    ...campaignsOf(partners).map((campaign, n) =>
      inviteOn(
        partnersClient(system, record, phase, 0),
        record,
        campaign,
        { number: 0 },
        chance(200 + n),
        invited,
        stop,
      ),
    ),
  ]
  const backup = `${system.dataDir}-backup`
  const takeAndRestore = async (): Promise<Moments> => {
    phase.waitFor('the time of the backup')
    await sleep((seconds * 1_000) / 2, undefined, { signal: phase.signal })
    record.delivered.settled = receiver.received.length
    await sleep(SETTLED_MS, undefined, { signal: phase.signal })
    const begun = now()
    phase.waitFor('the backup')
    await backUp(system.dataDir, backup, [], say)
    ended = now()
    say(`${timeOf(begun)} a backup begins; it took ${Math.round(ended - begun)} ms`)
    phase.waitFor('the end of everything')
    await sleep(Math.max(AFTER_MS, began + seconds * 1_000 - now()), undefined, { signal: phase.signal })
    const dying = now()
    await system.destroy()
    over.abort()
    const killed = now()
    record.delivered.killed = receiver.received.length
    phase.waitFor('the backup to be restored')
    await system.restore(backup)
    const back = now()
    phase.waitFor('gatehouse hooks republish')
    await republish(system, begun - now(), ended - now())
    for (const n of system.gateways.keys())
      record.faults.push({ what: 'destroy everything', name: `gateway-${n + 1}`, from: dying, to: killed, back })
    say(`${timeOf(dying)} everything is destroyed; restored, it serves after ${Math.round(back - killed)} ms`)
    return { begun, ended, dying, killed, back }
  }
  const [moments] = await Promise.all([
    takeAndRestore().finally(async () => {
      over.abort()
      await rm(backup, { recursive: true, force: true })
    }),
    ...devices,
  ])
  return moments
}

/**
 * Publishes check-ins once more that were stored shortly before a backup: JetStream may have had them, and hooks not yet. Begin and end of the
 * backup are in ms from now.
 */
async function republish(system: RealSystem, begun: number, ended: number): Promise<void> {
  const [since, until] = [Date.now() + begun - LATE_MS, Date.now() + ended].map((ms) => new Date(ms).toISOString())
  const event = inEvent('').split('/')[1] as string
  const args = ['cli/main.ts', 'hooks', 'republish', '--event', event, '--since', since ?? '', '--until', until ?? '']
  const env = { NATS_URL: system.natsUrlOf('cli'), NAMESPACE: system.namespace }
  await execute(process.execPath, args, { cwd: ROOT, env })
}

async function compare(
  system: RealSystem,
  { record, compared }: DrillResult<RestoreRecord>,
  { drillEvent, partners, exhibitor, receiver, server }: Scene,
  moments: Moments,
  phase: Phase,
): Promise<Pick<RestoreOutcome, 'undone' | 'again'>> {
  const client = new DrillClient(system, record, phase)
  const restored = {
    checkIns: await client.list<StoredCheckIn & Dated>(inEvent('access_controls.json')),
    collected: [
      ...((await client.read(inEvent(`exhibitors/${exhibitor._id}/connections.json`))) as Dated[]),
      ...(await client.list<Dated>(inEvent('signatures.json'))),
    ],
    invitations: await recount(client, partners),
  }
  const undone = undo(record, restored, moments, Date.now() - now())
  compared.push(`${record.collected.length} leads and signatures with the lists`)
  const { guests, line } = await acceptByLinks(client, record, server, restored.invitations, moments)
  compared.push(line)
  const scans = await sendAgain(client, record, undone, moments, phase)
  await inviteAgain(partnersClient(system, record, phase, 0), record, partners, phase)
  await drained({ system, record, event: partners, server, phase })
  const counted = await recount(client, partners)
  const listed = new Set([...counted.byCampaign.values()].flatMap(({ listed }) => listed.map(({ _id }) => _id)))
  const { attempts, again: mails } = attemptsKept(server.attempts, listed, moments)
  compared.push(
    compareAnswers(record, counted),
    compareTaken(record, attempts, counted),
    await compareCounters(client, record, partners, counted, phase),
  )
  const all = await compareCheckIns(client, record, compared, phase)
  compared.push(await compareDelivered(record, all, receiver, phase))
  const uids = [...drillEvent.uids, ...drillEvent.queueUids, drillEvent.probe.uid, ...guests]
  compared.push(await compareWithRecount(client, record, all, { uids, categories: [drillEvent.category] }))
  return { undone, again: { scans, mails, deliveries: compareRepeated(record, receiver) } }
}

/** Sends all batches again that were sent since the backup began, and some before, as devices do that keep what they have scanned. */
async function sendAgain(
  client: DrillClient,
  record: RestoreRecord,
  { scans: undone }: Undone,
  { begun, killed }: Moments,
  phase: Phase,
): Promise<number> {
  const lost = undone.filter(({ how }) => how === 'batch')
  for (const scan of lost) {
    scan.answers = []
    scan.sent = []
  }
  const kept = record.scans.filter(
    ({ how, sent: [first = 0] }) => how === 'batch' && first > begun - SETTLED_MS && first < killed,
  )
  record.scans.push(...lost)
  const scans = [...kept, ...lost]
  await sendAll(client, scans, phase)
  return scans.length
}

/** Invites all recipients again: those who are there stay what they are. */
async function inviteAgain(
  client: DrillClient,
  record: RestoreRecord,
  partners: MailDrillEvent,
  phase: Phase,
): Promise<void> {
  for (const campaign of campaignsOf(partners)) {
    phase.waitFor(`the answer to the recipients of ${campaign.name}, who are invited again`)
    while (!(await invite(client, record, campaign, campaign.recipients))) await sleep(RETRY_MS)
  }
}
