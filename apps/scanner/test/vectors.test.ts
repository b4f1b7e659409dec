import type { SnapshotMessage } from '@gatehouse/door/snapshot-format.ts'
import { decisionVectors, play, type VectorOutcome, type VectorScan } from '@gatehouse/test/oracle/decision-vectors.ts'
import { type DoorScan, PureWorld, type VectorDevice } from '@gatehouse/test/oracle/pure-world.ts'
import { assertWorldMatchesOracle } from '@gatehouse/test/oracle/random-vectors.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Reachability } from '../../shared/src/server/reachability.ts'
import { GuestList } from '../src/offline/guest-list.ts'
import { SignatureQueue } from '../src/queue/signature-queue.ts'
import { UndoQueue } from '../src/queue/undo-queue.ts'
import { Uploader } from '../src/queue/uploader.ts'
import type { ScanOutcome } from '../src/scanning/outcome.ts'
import type { StoredScan } from '../src/scanning/scan.ts'
import { ScanProcessor } from '../src/scanning/scan-processor.ts'
import { Clock } from '../src/server/clock.ts'
import { ScanTimes } from '../src/server/scan-times.ts'
import type { ServerClient } from '../src/server/server.ts'
import { openDatabase } from '../src/storage/database.ts'
import { replaceDevice } from '../src/storage/device.ts'
import { ScanStore } from '../src/storage/scans.ts'
import { SignatureStore } from '../src/storage/signatures.ts'

const DEVICE = {
  _id: 'device',
  name: null,
  event_id: 'event',
  event_title: '',
  accesspoint_ids: [],
  token: 'token',
  accesspoint: null,
  clock_offset: 0,
}

/** What the scanner is made of, without a screen: it hears of the server when a case says so, and decides alone. */
class ScannerDevice implements VectorDevice {
  #text = ''
  #door: DoorScan | undefined
  readonly #uploaded: number[] = []
  readonly #app = this.#open()

  async learn(text: string): Promise<void> {
    this.#text = text
    const { guestList } = await this.#app
    await guestList.update()
    later()
  }

  async decide({ uid, at, persons, stamp }: VectorScan): Promise<VectorOutcome> {
    const { processor, shown } = await this.#app
    const now = Date.now()
    if (stamp) vi.setSystemTime(stamp)
    await processor.scan(uid, at, persons ?? (this.#isExit(at) ? undefined : 1))
    if (stamp) vi.setSystemTime(now)
    later()
    const { status, scan } = shown.at(-1) ?? expect.fail('undecided')
    const { reason = null, persons_left, moved = 1 } = scan ?? {}
    const left = persons_left == null ? {} : { persons_left }
    return { access_status: status ?? expect.fail('undecided'), reason, persons: moved, ...left }
  }

  #isExit(at: string): boolean {
    const { accesspoints } = JSON.parse(this.#text) as SnapshotMessage
    return accesspoints.some(({ _id, direction }) => _id === at && direction === 'out')
  }

  async upload(scan: DoorScan): Promise<number[]> {
    this.#door = scan
    const { uploader } = await this.#app
    await uploader.run()
    later()
    return this.#uploaded.splice(0)
  }

  async #open() {
    globalThis.indexedDB = new IDBFactory()
    const database = await openDatabase()
    const store = new ScanStore(database)
    const server = {
      times: new ScanTimes(),
      snapshot: async () => this.#text,
      checkInAll: async (scans: StoredScan[]) => {
        const answers = []
        for (const { guest_uid, accesspoint_id, persons, access_stamp } of scans) {
          const scan = { uid: guest_uid ?? '', at: accesspoint_id, stamp: access_stamp }
          const outcome = await this.#door?.({ ...scan, ...(persons !== undefined && { persons }) })
          const access_status = outcome?.access_status
          this.#uploaded.push(access_status ?? -1)
          answers.push({ guest_uid, access_status })
        }
        return answers
      },
    } as unknown as ServerClient
    await replaceDevice(database, DEVICE)
    const guestList = new GuestList({ event_id: 'event', token: 'token', database, store, server })
    const shown: ScanOutcome[] = []
    const processor = new ScanProcessor({
      device_id: 'device',
      event_id: 'event',
      store,
      guestList,
      server,
      reachability: { isUp: false } as Reachability,
      clock: new Clock(0),
      codeKey: () => undefined,
      show: (outcome) => shown.push(outcome),
      settled: () => {},
    })
    const signatures = new SignatureStore(database)
    const uploader = new Uploader({
      device_id: 'device',
      store,
      server,
      signatures: new SignatureQueue({ device_id: 'device', signatures, server, ended: () => {} }),
      undos: new UndoQueue({ device_id: 'device', store, server, ended: () => {} }),
      asking: processor.asking,
      ended: () => {},
    })
    return { guestList, processor, uploader, shown }
  }
}

/** What follows is later, by any clock. */
function later(): void {
  vi.setSystemTime(Date.now() + 1_000)
}

describe('the scanner decides as the vectors say', () => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterAll(() => {
    vi.useRealTimers()
  })

  test.each(decisionVectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    await play(vector, new PureWorld(vector, () => new ScannerDevice()))
  })

  test('and days, exits, parties, late scans and deletions in any order as the oracle does', () =>
    assertWorldMatchesOracle((vector) => new PureWorld(vector, () => new ScannerDevice()), {
      runs: rounds(30, 3_000),
      hasDevice: true,
    }))
})
