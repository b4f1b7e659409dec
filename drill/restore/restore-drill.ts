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
import { compareCheckIns } from '../comparing.ts'
import { compareWithRecount } from '../counting.ts'
import { type DrillEvent, type ExhibitorAccess, makeDrillEvent, makeExhibitor } from '../drill-event.ts'
import { RESTORE_INVARIANTS } from '../invariants.ts'
import { scanOn } from '../load.ts'
import { campaignsOf, type MailDrillEvent, makeCampaigns } from '../mail/campaigns.ts'
import { invite, inviteOn, partnerAt } from '../mail/inviting.ts'
import { compareAnswers, compareCounters, compareTaken, recount } from '../mail/mail-comparing.ts'
import { FaultyMailServer } from '../mail/mail-server.ts'
import { drained } from '../mail/mailing.ts'
import { now, timeOf } from '../record.ts'
import { type DrillResult, type RunOptions, runPhases } from '../running.ts'
import { inEvent, sendAll } from '../scanning.ts'
import { compareDelivered, receiveEvents } from '../webhook.ts'
import { collectOn } from './collecting.ts'
import { acceptByLinks, compareRepeated } from './restore-comparing.ts'
import { attemptsKept, type Dated, type Moments, type Undone, undo } from './undoing.ts'

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
export async function runRestoreDrill(options: RestoreDrillOptions): Promise<DrillResult | undefined> {
  const { say, seconds } = options
  const server = new FaultyMailServer(options.seed, LINK_OF)
  const own = { GATEHOUSE_ALLOW_PRIVATE_HOOKS: '1', HOOK_TIMEOUT_MS: '2000' }
  const plan: SystemPlan = { processes: PROCESSES, settings: { ...(await server.start()), ...own } }
  try {
    return await runPhases(plan, RESTORE_INVARIANTS, options, async (system, result, during) => {
      const { record } = result
      const scene = await during('registering', DEADLINES.registering, (phase) =>
        register(new DrillClient(system, record, phase), server, options),
      )
      say('guests, partners, an exhibitor and a webhook are registered; the load begins')
      const loading = (phase: Phase): Promise<Moments> =>
        loadAndRestore(new DrillClient(system, record, phase), scene, options)
      const moments = await during('loading', DEADLINES.loading, loading, seconds * 1_000)
      await during('comparing', DEADLINES.comparing, (phase) =>
        compare(new DrillClient(system, record, phase), result, scene, moments),
      )
      await scene.receiver.close()
    })
  } finally {
    await server.stop()
  }
}

async function register(
  client: DrillClient,
  server: FaultyMailServer,
  { seconds }: RestoreDrillOptions,
): Promise<Scene> {
  const guests = Math.min(MAX_GUESTS, Math.ceil(seconds * GUESTS_PER_SECOND) + 50)
  const drillEvent = await makeDrillEvent(client, guests)
  client.phase.waitFor('partners, an exhibitor and a webhook')
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
async function loadAndRestore(
  client: DrillClient,
  scene: Scene,
  { seconds, seed, say }: RestoreDrillOptions,
): Promise<Moments> {
  const { system, record, phase } = client
  const { receiver } = scene
  const began = now()
  const over = new AbortController()
  const stop = AbortSignal.any([phase.signal, over.signal])
  const progress = (): number => Math.min(1, (now() - began) / (seconds * 1_000))
  let ended: number | undefined
  // Some are invited after the backup, however long that takes.
  const invited = (): number =>
    ended === undefined ? Math.min(INVITED_BEFORE, progress()) : INVITED_BEFORE + (now() - ended) / AFTER_MS
  const load = startLoad(client, scene, seed, progress, invited, stop)
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
    ...load,
  ])
  return moments
}

/** Starts devices that scan and collect, and partners that invite, until `stop`. */
function startLoad(
  client: DrillClient,
  { drillEvent, partners, exhibitor }: Scene,
  seed: number,
  progress: () => number,
  invited: () => number,
  stop: AbortSignal,
): Promise<unknown>[] {
  const chance = (n: number): Random => new Random(seed * 1_000 + n)
  return [
    ...Array.from({ length: SCANNERS }, (_, n) => scanOn(client.at(n), drillEvent, chance(n), progress, stop)),
    ...Array.from({ length: COLLECTORS }, (_, n) =>
      collectOn(client.at(n), drillEvent, exhibitor, chance(100 + n), stop),
    ),
    ...campaignsOf(partners).map((campaign, n) =>
      inviteOn(partnerAt(client), campaign, { number: 0 }, chance(200 + n), invited, stop),
    ),
  ]
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
  client: DrillClient,
  { record, compared, details }: DrillResult,
  { drillEvent, partners, exhibitor, receiver, server }: Scene,
  moments: Moments,
): Promise<void> {
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
  const { guests, line } = await acceptByLinks(client, server, restored.invitations, moments)
  compared.push(line)
  const scans = await sendAgain(client, undone, moments)
  await inviteAgain(partnerAt(client), partners)
  await drained({ client, event: partners, server })
  const counted = await recount(client, partners)
  const listed = new Set([...counted.byCampaign.values()].flatMap(({ listed }) => listed.map(({ _id }) => _id)))
  const { attempts, again: mails } = attemptsKept(server.attempts, listed, moments)
  compared.push(
    compareAnswers(record, counted),
    compareTaken(record, attempts, counted),
    await compareCounters(client, partners, counted),
  )
  const all = await compareCheckIns(client, compared)
  compared.push(await compareDelivered(client, all, receiver))
  const uids = [...drillEvent.uids, ...drillEvent.queueUids, drillEvent.probe.uid, ...guests]
  compared.push(await compareWithRecount(client, all, { uids, categories: [drillEvent.category] }))
  const { begun, dying } = moments
  const since = (at: number): string => `${((at - begun) / 1_000).toFixed(1)} s`
  const { collected, invitations, moment } = undone
  record.undone = { scans: undone.scans.length, collected, invitations }
  record.again = { scans, mails, deliveries: compareRepeated(record, receiver) }
  details.push(
    `the backup has what was there ${since(moment)} after its beginning, and everything was destroyed after ${since(dying)}`,
    `taken back: ${undone.scans.length} answered scans, ${collected} leads and signatures, ${invitations} invitations`,
    `again: ${scans} scans by their devices, ${mails} e-mails, ${record.again.deliveries} deliveries to the webhook`,
  )
}

/** Sends all batches again that were sent since the backup began, and some before, as devices do that keep what they have scanned. */
async function sendAgain(client: DrillClient, { scans: undone }: Undone, { begun, killed }: Moments): Promise<number> {
  const { record } = client
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
  await sendAll(client, scans)
  return scans.length
}

/** Invites all recipients again: those who are there stay what they are. */
async function inviteAgain(client: DrillClient, partners: MailDrillEvent): Promise<void> {
  for (const campaign of campaignsOf(partners)) {
    client.phase.waitFor(`the answer to the recipients of ${campaign.name}, who are invited again`)
    while (!(await invite(client, campaign, campaign.recipients))) await sleep(RETRY_MS)
  }
}
