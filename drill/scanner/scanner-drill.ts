import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import { execute } from '@gatehouse/local/execute'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { fakeCamera, writeVideo } from '@gatehouse/test/harness/fake-camera.ts'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import { storesOf } from '@gatehouse/test/load/system.ts'
import type { Browser } from 'playwright-core'
import { DrillClient } from '../client.ts'
import { compareStored, compareTroubles } from '../comparing.ts'
import { compareWithRecount } from '../counting.ts'
import { DOORS } from '../door-faults.ts'
import { FaultInjector } from '../fault-injector.ts'
import { emptying, filling, killsAndPauses } from '../injected-faults.ts'
import { SCANNER_INVARIANTS } from '../invariants.ts'
import { now } from '../record.ts'
import { type DrillResult, type RunOptions, runPhases } from '../running.ts'
import { inEvent, send } from '../scanning.ts'
import { BadNetwork } from './network.ts'
import {
  compareDifferences,
  compareOwn,
  compareQueues,
  compareRights,
  compareShown,
  compareWalkIns,
  type DrillGuest,
  namedBy,
  type RecordedCheckIn,
} from './scanner-comparing.ts'
import { type Doorway, makeScannerEvent, type ScannerEvent } from './scanner-event.ts'
import { scannerTable } from './scanner-table.ts'
import { QUEUED, stand } from './standing.ts'
import { Steward } from './steward.ts'

/** Phones, unless another number is given. */
export const PHONES = 8
/** Phones that scan with a camera. The others have a scanner that types, since reading pictures takes most of a core. */
const CAMERAS = 1
const RECOVERY_MS = 10_000
/** How many scans a steward makes for each guest who comes, about. */
const SCANS_PER_GUEST = 6
const CUT_MS = 60_000
/** The longest cut is this share of the time. */
const CUT_SHARE = 0.25
/** A device sends what waits at the latest 20 s after the server answers again; requests that hang end after 15 s. */
const SENDING_MS = 90_000

/** The drill ends the browser by itself. */
const OWN_SIGNALS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }

/** The deadline of each phase in ms; that of scanning is added to the time of the load. */
const DEADLINES = { registering: 240_000, scanning: 180_000, comparing: 240_000 }

/** How to run a drill with scanners. */
export interface ScannerDrillOptions extends RunOptions {
  /** How long the networks are bad. */
  seconds: number
  scanners?: number
}

/**
 * Starts the real system, and scanners in real browsers on bad networks; kills processes and tabs; and compares each answer that a screen has
 * shown with what is stored, and with what the devices say in the end. Undefined when interrupted.
 */
export async function runScannerDrill(options: ScannerDrillOptions): Promise<DrillResult | undefined> {
  const { seconds, scanners = PHONES, seed, say } = options
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-scanners-'))
  const video = join(folder, 'camera.y4m')
  const networks: BadNetwork[] = []
  let browser: Browser | undefined
  try {
    await writeVideo(video)
    // The gateway serves what is built when it starts.
    await execute(process.execPath, [join(import.meta.dirname, '../../apps/main.ts')])
    browser = await startChromium(fakeCamera(video), OWN_SIGNALS)
    const opened = browser
    return await runPhases(
      DOORS,
      SCANNER_INVARIANTS,
      options,
      async (system, { record, compared, details }, during) => {
        const guestCount = Math.ceil((seconds * scanners) / SCANS_PER_GUEST) + QUEUED
        const { event, stewards } = await during('registering', DEADLINES.registering, async (phase) => {
          const client = new DrillClient(system, record, phase)
          const event = await makeScannerEvent(client, guestCount)
          for (let n = 0; n < scanners; n++) networks.push(new BadNetwork(system.gateways, new Random(seed * 100 + n)))
          const enrolled = networks.map((network, n) => enrol(opened, network, n, event, video, client))
          return { event, stewards: await Promise.all(enrolled) }
        })
        say(`${guestCount} guests are registered, and ${scanners} scanners know them; their networks become bad`)
        const scanning = (phase: Phase): Promise<void> =>
          scanOn(new DrillClient(system, record, phase), event, stewards, networks, options)
        await during('scanning', DEADLINES.scanning, scanning, seconds * 1_000)
        await during('comparing', DEADLINES.comparing, async (phase) => {
          compared.push(...(await compareScanners(new DrillClient(system, record, phase), event, stewards)))
        })
        record.weather = networks.map(({ weather }) => weather)
        details.push(...scannerTable(record))
        await opened.close()
      },
    )
  } finally {
    await browser?.close()
    await Promise.all(networks.map((network) => network.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Waits until the devices have sent what they have, and makes all comparisons; returns a line for each. */
async function compareScanners(
  client: DrillClient,
  { doorways, listed, categories }: ScannerEvent,
  stewards: readonly Steward[],
): Promise<string[]> {
  const { record, phase } = client
  phase.waitFor('the devices to send what they have')
  for (const steward of stewards) steward.inPhase(phase)
  record.endings.push(...(await Promise.all(stewards.map((each) => each.ending(SENDING_MS * record.slack)))))
  const all = await client.list<RecordedCheckIn>(inEvent('access_controls.json'))
  const conflicts = await client.list<RecordedCheckIn>(inEvent('access_controls.json'), 'conflicts=true')
  const guests = await client.list<DrillGuest>(inEvent('guests.json'))
  const walkIns = guests.filter(({ source }) => source === 'walk_in')
  const named = (rows: RecordedCheckIn[]): RecordedCheckIn[] => namedBy(walkIns, rows)
  const points = new Set(doorways.flatMap(({ entrance, exit }) => [entrance._id, exit._id]))
  const isOfSteward = ({ accesspoint_id }: RecordedCheckIn): boolean => points.has(accesspoint_id)
  const rows = named(all.filter(isOfSteward))
  const ofProbes = all.filter((row) => !isOfSteward(row))
  const exitOf = new Map(doorways.map(({ entrance, exit }) => [entrance._id, exit._id]))
  return [
    compareTroubles(record),
    compareStored(record, ofProbes),
    compareQueues(record),
    compareShown(record, rows),
    compareDifferences(record, rows, named(conflicts.filter(isOfSteward))),
    compareRights(record, rows, exitOf),
    compareOwn(record, exitOf),
    compareWalkIns(record, rows, walkIns),
    await compareWithRecount(client, all, { uids: [...listed, ...walkIns.map(({ uid }) => uid)], categories }),
  ]
}

async function enrol(
  browser: Browser,
  network: BadNetwork,
  number: number,
  { doorways }: ScannerEvent,
  video: string,
  client: DrillClient,
): Promise<Steward> {
  const { record, phase } = client
  const url = await network.start()
  const doorway = doorways[number % doorways.length] as Doorway
  const device = { name: `Scanner ${number}`, accesspoint_ids: [doorway.entrance._id, doorway.exit._id] }
  const { code } = await client.insist('POST', inEvent('devices.json'), device, crypto.randomUUID())
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 } })
  if (number < CAMERAS) await context.grantPermissions(['camera'])
  return Steward.enrol({ number, context, url, doorway, record, video }, code, phase)
}

/** Stewards scan on bad networks, while processes are killed, until the time is over. */
async function scanOn(
  client: DrillClient,
  event: ScannerEvent,
  stewards: readonly Steward[],
  networks: readonly BadNetwork[],
  { seconds, seed, say }: ScannerDrillOptions,
): Promise<void> {
  const { record, phase } = client
  const opened = now()
  const over = new AbortController()
  const closed = AbortSignal.any([phase.signal, over.signal])
  void sleep(seconds * 1_000, undefined, { signal: phase.signal }).then(
    () => over.abort(),
    () => {},
  )
  const progress = (): number => Math.min(1, (now() - opened) / (seconds * 1_000))
  phase.waitFor(
    () =>
      `${closed.aborted ? 'the last fault and scans to end' : 'the time to be over'}, after ${record.attempts.length} scans`,
  )
  const injector = new FaultInjector({
    client,
    say,
    chance: new Random(seed),
    kinds: [...killsAndPauses([...DOORS.processes, ...storesOf(DOORS)]), emptying, filling],
    recoveryMs: RECOVERY_MS,
    probe: (gateway) => send(client, record.scan(event.probe, 'single'), undefined, gateway),
  })
  const cutMs = Math.min(CUT_MS, seconds * 1_000 * CUT_SHARE)
  await Promise.all([
    injector.injectUntil(closed),
    ...networks.map((network) => network.beBad(cutMs, closed)),
    ...stewards.map((steward, number) => {
      steward.inPhase(phase)
      const chance = new Random(seed * 1_000 + number)
      return stand(steward, { chance, hasCamera: number < CAMERAS, uids: event.uids, progress, stop: closed })
    }),
  ])
}
