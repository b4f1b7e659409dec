import { decisionVectors, play, type VectorOutcome, type VectorScan } from '@gatehouse/test/oracle/decision-vectors.ts'
import { type DoorScan, PureWorld, type VectorDevice } from '@gatehouse/test/oracle/pure-world.ts'
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Reachability } from '../../shared/src/server/reachability.ts'
import { GuestList } from '../src/offline/guest-list.ts'
import { SignatureQueue } from '../src/queue/signature-queue.ts'
import { UndoQueue } from '../src/queue/undo-queue.ts'
import { Uploader } from '../src/queue/uploader.ts'
import type { StoredScan } from '../src/scanning/scan.ts'
import { ScanProcessor } from '../src/scanning/scan-processor.ts'
import { Clock } from '../src/server/clock.ts'
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

const REASONS = [null, 'unknown_guest', 'no_right', 'used_up']
/** Cases whose devices are scanned for several persons or at a moment, or at exits, which the scanner doesn't ask for yet. */
const vectors = decisionVectors.filter(
  ({ points, steps }) =>
    !points && !steps.some((step) => step.do === 'decide' && ('persons' in step || 'stamp' in step)),
)

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

  async decide({ uid, at }: VectorScan): Promise<VectorOutcome> {
    const { processor, shown } = await this.#app
    await processor.scan(uid, at)
    later()
    const access_status = shown.at(-1) ?? expect.fail('undecided')
    return { access_status, reason: REASONS[access_status] ?? null, persons: 1 }
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
      snapshot: async () => this.#text,
      checkInAll: async (scans: StoredScan[]) => {
        const answers = []
        for (const { guest_uid, accesspoint_id } of scans) {
          const outcome = await this.#door?.({ uid: guest_uid ?? '', at: accesspoint_id })
          const access_status = outcome?.access_status
          this.#uploaded.push(access_status ?? -1)
          answers.push({ guest_uid, access_status })
        }
        return answers
      },
    } as unknown as ServerClient
    await replaceDevice(database, DEVICE)
    const guestList = new GuestList({ event_id: 'event', token: 'token', database, store, server })
    const shown: (number | null)[] = []
    const processor = new ScanProcessor({
      device_id: 'device',
      event_id: 'event',
      store,
      guestList,
      server,
      reachability: { isUp: false } as Reachability,
      clock: new Clock(0),
      codeKey: () => undefined,
      show: ({ status }) => shown.push(status),
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

  test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    await play(vector, new PureWorld(vector, () => new ScannerDevice()))
  })
})
