import { collectGarbage } from '@gatehouse/proto/process/garbage.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'
import { Admissions } from './admissions.ts'
import { CheckInGroup } from './check-in-group.ts'

const GUESTS = 100_000
/** The check-ins of the last half minute of a rush, which each read takes back and counts again. */
const LATELY = 9_000
const READS = 20
const AREAS = new Map([
  ['hall', 'hall'],
  ['bar', 'bar'],
])

test('with 100,000 persons inside, who is inside is known anew within 50 ms', deep, () => {
  const admissions = new Admissions()
  const group = (from: number, before: number): CheckInGroup => {
    const counted = new CheckInGroup(admissions)
    for (let n = from; n < before; n++)
      counted.addGranted(`guest ${n}`, { accesspoint_id: n % 3 ? 'hall' : 'bar', at: n * 3, persons: 1 })
    return counted
  }
  group(0, GUESTS - LATELY)
  let last = group(GUESTS - LATELY, GUESTS)
  for (let guest = 0; guest < GUESTS; guest++) admissions.setGuest(guest, 'visitors', 1)
  admissions.occupancy.read(AREAS)
  const tookMs = Array.from({ length: READS }, () => {
    const begun = performance.now()
    last.discard()
    last = group(GUESTS - LATELY, GUESTS)
    const read = admissions.occupancy.read(AREAS)
    const took = performance.now() - begun
    expect((read.get('hall')?.inside ?? 0) + (read.get('bar')?.inside ?? 0)).toBe(GUESTS)
    return took
  })
  console.log(`${GUESTS} inside, ${LATELY} of them lately: ${tookMs.map((ms) => ms.toFixed()).join(', ')} ms`)
  // Whatever else runs on the machine makes others longer.
  expect(Math.min(...tookMs)).toBeLessThan(50)
})

/** Check-ins of an event, each of whose guests comes three times, and of a segment. */
const CHECK_INS = 300_000
const SEGMENT = 2_000
const MIB = 2 ** 20

test('the counts of 300,000 check-ins of 100,000 guests take less than 30 MiB', deep, () => {
  const heldMib = (): number => {
    for (let times = 0; times < 3; times++) collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / MIB
  }
  const before = heldMib()
  const admissions = new Admissions()
  const groups: CheckInGroup[] = []
  for (let from = 0; from < CHECK_INS; from += SEGMENT) {
    const group = new CheckInGroup(admissions)
    const uids = Array.from({ length: SEGMENT }, (_, n) => `G${String((from + n) % GUESTS).padStart(8, '0')}`)
    // Each is a new string, as a segment has it.
    for (const [n, uid] of (JSON.parse(JSON.stringify(uids)) as string[]).entries())
      group.addGranted(uid, { accesspoint_id: n % 3 ? 'hall' : 'bar', at: (from + n) * 3, persons: 1 })
    groups.push(group.close())
  }
  for (let guest = 0; guest < GUESTS; guest++) admissions.setGuest(guest, 'visitors', 1)
  const heldFor = (areas: ReadonlyMap<string, string>): number => {
    admissions.occupancy.read(areas)
    return heldMib() - before
  }
  const [without, within] = [heldFor(new Map()), heldFor(AREAS)]
  console.log(`${groups.length} segments: ${without.toFixed()} MiB, with areas ${within.toFixed()} MiB`)
  expect(within).toBeLessThan(30)
})
