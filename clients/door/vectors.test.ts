import {
  decisionVectors,
  OwnScans,
  play,
  type VectorOutcome,
  type VectorScan,
} from '@gatehouse/test/oracle/decision-vectors.ts'
import { type DoorScan, PureWorld, type VectorDevice } from '@gatehouse/test/oracle/pure-world.ts'
import { assertWorldMatchesOracle } from '@gatehouse/test/oracle/random-vectors.ts'
import { rounds, slow } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { scannedUid } from './scanned-uid.ts'
import { decide, type Snapshot, updated } from './snapshot.ts'
import { hashUid } from './uid-hash.ts'

/** A device that is this module, and a list of its scans. */
class PureDevice implements VectorDevice {
  #snapshot: Snapshot | undefined
  readonly #scans = new OwnScans()

  async learn(text: string): Promise<void> {
    this.#snapshot = updated(this.#snapshot, text)
    this.#scans.counted()
  }

  async decide(made: VectorScan): Promise<VectorOutcome> {
    const { at, persons, stamp } = made
    const snapshot = this.#snapshot ?? expect.fail('no snapshot')
    const uid = await scannedUid(snapshot, made.uid)
    const hash = await hashUid(snapshot.salt, uid)
    const scan = { accesspoint_id: at, hash, ...(persons && { persons }), ...(stamp && { at: Date.parse(stamp) }) }
    const own = this.#scans.uncounted(uid, snapshot.exits)
    const outcome = decide(snapshot, scan, own) ?? expect.fail(at)
    this.#scans.add({ ...made, uid }, outcome)
    return outcome
  }

  async upload(scan: DoorScan): Promise<number[]> {
    const statuses: number[] = []
    for (const made of this.#scans.takeWaiting()) statuses.push((await scan(made)).access_status)
    return statuses
  }
}

describe('a device decides as the vectors say', () => {
  test.each(decisionVectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    await play(vector, new PureWorld(vector, () => new PureDevice()))
  })
})

describe('days, exits, parties, late scans and deletions in any order are decided as by the oracle', () => {
  test('at a door with all that is stored', slow, () =>
    assertWorldMatchesOracle((vector) => new PureWorld(vector, () => new PureDevice()), { runs: rounds(60, 3_000) }),
  )

  test('on a device with its snapshots and its own scans', () =>
    assertWorldMatchesOracle((vector) => new PureWorld(vector, () => new PureDevice()), {
      runs: rounds(60, 3_000),
      hasDevice: true,
    }))
})
