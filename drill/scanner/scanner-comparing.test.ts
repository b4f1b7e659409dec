import { describe, expect, test } from 'vitest'
import type { Invariant } from '../invariants.ts'
import { DrillRecord } from '../record.ts'
import { violationsOf } from '../report.ts'
import type { ScanAttempt, Shown, Status } from './attempts.ts'
import { matched } from './matching.ts'
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

const BEGUN = Date.parse('2026-05-01T08:30:00Z')
const DOOR = 'door'
const WAY_OUT = 'way out'
const EXITS = new Map([[DOOR, WAY_OUT]])

const server = (status: Status): Shown => ({ by: 'server', status })
const device = (status: Status): Shown => ({ by: 'device', status })
const app: Shown = { by: 'app', text: 'Not scanned' }

/** A scan of one scanner, begun at second `at`, answered half a second later. */
function scanned(
  record: DrillRecord,
  uid: string,
  shown: Shown[],
  at = 0,
  { scanner = 0, point = DOOR, persons = 1, how = 'typed' as ScanAttempt['how'] } = {},
): ScanAttempt {
  const attempt = record.attempt({ scanner, point, uid, how, persons })
  attempt.begun = BEGUN + at * 1_000
  if (shown.length > 0) attempt.answered = attempt.begun + 500
  attempt.shown.push(...shown)
  return attempt
}

let rows = 0
/** A check-in as the server lists it, stamped at second `at`. */
function stored(
  guest_uid: string,
  access_status: Status,
  decided_offline?: Status,
  at = 0,
  more: Partial<RecordedCheckIn> = {},
): RecordedCheckIn {
  const access_stamp = new Date(BEGUN + at * 1_000 + 100).toISOString()
  const decided = decided_offline === undefined ? {} : { decided_offline }
  const made = { _id: `row ${rows++}`, guest_uid, accesspoint_id: DOOR, access_status, access_stamp, persons: 1 }
  return { ...made, ...decided, ...more }
}

const broken = (record: DrillRecord, invariant: Invariant): string => violationsOf(record, invariant).join('\n')

describe('what screens have shown', () => {
  test('is kept where each scan is stored once as it was shown: confirmed, unconfirmed, corrected, and undecided', () => {
    const record = new DrillRecord(1)
    scanned(record, 'o1', [server(0)])
    scanned(record, 'o1', [device(3), server(3)], 30)
    scanned(record, 'o2', [device(0)])
    scanned(record, 'o3', [{ by: 'nobody' }])
    compareShown(record, [stored('o1', 3, 3, 30), stored('o1', 0), stored('o2', 3, 0), stored('o3', 1)])
    expect(record.violations).toEqual([])
  })

  test.each([
    ['is not stored', server(0), []],
    ['is stored with another status than the screen showed as confirmed', server(0), [stored('o1', 3)]],
    ['is stored without what the device decided', device(0), [stored('o1', 0)]],
    ['is stored with something else than the device decided', device(0), [stored('o1', 0, 3)]],
    ['is stored for another number of persons', server(0), [stored('o1', 0, undefined, 0, { persons: 2 })]],
    ['is stored at another time: when it was sent, not when it was made', device(0), [stored('o1', 0, 0, 60)]],
  ] as const)('is broken where a scan %s', (_, shown, has) => {
    const record = new DrillRecord(1)
    scanned(record, 'o1', [shown])
    compareShown(record, has)
    expect(broken(record, 'shown')).toContain('a scan is not on the server as its screen showed it')
  })

  test('is broken where a scan is stored twice, or one that nobody made, or which the app did not take', () => {
    for (const shown of [[server(0)], [app]]) {
      const record = new DrillRecord(1)
      scanned(record, 'o1', shown)
      compareShown(record, [stored('o1', 0), ...(shown[0] === app ? [] : [stored('o1', 0)])])
      expect(broken(record, 'once')).toContain('a check-in is stored that no scan stands for')
    }
    const record = new DrillRecord(1)
    compareShown(record, [stored('o1', 0)])
    expect(broken(record, 'once')).toContain('"guest_uid":"o1"')
  })

  test('allows a scan whose tab was killed before its answer to be stored, or not, but not twice', () => {
    for (const [times, isBroken] of [
      [0, false],
      [1, false],
      [2, true],
    ] as const) {
      const record = new DrillRecord(1)
      scanned(record, 'o1', []).isCutShort = true
      compareShown(
        record,
        Array.from({ length: times }, () => stored('o1', 0)),
      )
      expect([times, broken(record, 'once') !== '']).toEqual([times, isBroken])
      expect(broken(record, 'shown')).toBe('')
    }
  })

  test('leaves the check-in of a scan whose tab was killed to another scan that has been answered', () => {
    const record = new DrillRecord(1)
    scanned(record, 'o1', []).isCutShort = true
    scanned(record, 'o1', [device(3)], 1)
    compareShown(record, [stored('o1', 3, 3, 1)])
    expect(record.violations).toEqual([])
  })

  test('allows no check-in for a question of how many come in, but one for its answer, for as many', () => {
    const record = new DrillRecord(1)
    scanned(record, 'p1', [{ by: 'question' }])
    scanned(record, 'p1', [server(0)], 0, { persons: 3, how: 'answered' })
    const row = stored('p1', 0, undefined, 0, { persons: 3 })
    compareShown(record, [row])
    expect(record.violations).toEqual([])
    compareShown(record, [row, stored('p1', 0)])
    expect(broken(record, 'once')).toContain('a check-in is stored that no scan stands for')
  })

  test('is broken where a check-in that was undone is stored, unless it let nobody in, or the tab was killed meanwhile', () => {
    for (const [undo, status, isBroken] of [
      ['done', 0, true],
      ['done', 3, false],
      ['asked', 0, false],
    ] as const) {
      const record = new DrillRecord(1)
      scanned(record, 'o1', [device(0)]).undo = undo
      compareShown(record, [])
      expect(record.violations).toEqual([])
      compareShown(record, [stored('o1', status, 0)])
      expect([undo, status, broken(record, 'undone') !== '']).toEqual([undo, status, isBroken])
      expect(broken(record, 'once')).toBe('')
    }
  })

  test('is matched as a whole: what one scan could be is left for the other, which can be nothing else', () => {
    const agree = (item: string, partner: string): boolean => item.includes(partner)
    const pairs = new Map([
      ['a', '1'],
      ['ab', '2'],
    ])
    const partners = new Map([
      ['1', 'ab a'],
      ['2', 'ab'],
    ])
    const isFit = (item: string, partner: string): boolean => (partners.get(partner) ?? '').split(' ').includes(item)
    expect(matched(['ab', 'a'], ['1', '2'], isFit)).toEqual(pairs)
    expect(matched(['x'], ['1'], agree)).toEqual(new Map())
  })
})

describe('differences', () => {
  const listed = ({ guest_uid, access_stamp }: RecordedCheckIn) => ({
    uid: guest_uid,
    stamp: access_stamp,
    sentence: '',
  })

  test('are the same on devices and at the server', () => {
    const record = new DrillRecord(1)
    const [both, reason, same] = [stored('o1', 3, 0), stored('n1', 2, 1), stored('o2', 0, 0)]
    record.endings.push({ differences: [listed(both)], waiting: undefined }, { differences: [], waiting: undefined })
    compareDifferences(record, [both, reason, same, stored('o3', 0)], [reason, both])
    expect(record.violations).toEqual([])
  })

  test('of a scan that was undone need not be on a device', () => {
    const record = new DrillRecord(1)
    scanned(record, 'o1', [device(0)]).undo = 'done'
    record.endings.push({ differences: [], waiting: undefined })
    const row = stored('o1', 3, 0)
    compareDifferences(record, [row], [row])
    expect(record.violations).toEqual([])
  })

  test.each([
    ['no device lists what it decided otherwise', [], [0]],
    ['a device lists a difference that the server has not recorded', [0, 1], [0]],
    ['a device lists a difference that the server has not recorded', [0, 0], [0]],
    ['conflicts=true lacks', [0], []],
    ['conflicts=true lists a check-in that was not', [0], [0, 1]],
  ])('%s: that is a violation', (kind, onDevice, onServer) => {
    const record = new DrillRecord(1)
    const all = [stored('o1', 3, 0), stored('o2', 0, 0)] as const
    record.endings.push({ differences: onDevice.map((n) => listed(all[n] as RecordedCheckIn)), waiting: undefined })
    compareDifferences(
      record,
      all,
      onServer.map((n) => all[n] as RecordedCheckIn),
    )
    expect(broken(record, 'differences')).toContain(kind)
  })
})

describe('rights', () => {
  test.each([
    ['allowed', [stored('o1', 0), stored('o1', 0)]],
    ['burnt', [stored('t1', 0), stored('t1', 3)]],
    ['reasons', [stored('n1', 3)]],
    ['reasons', [stored('x1', 2)]],
    ['allowed', [stored('n1', 0)]],
    ['allowed', [stored('p1', 0, undefined, 0, { persons: 3 }), stored('p1', 0, undefined, 0, { persons: 2 })]],
    ['burnt', [stored('p1', 0, undefined, 0, { persons: 3 }), stored('p1', 3)]],
    ['burnt', [stored('o1', 3, undefined, 0, { accesspoint_id: WAY_OUT })]],
  ] as const)('%s is broken where the server decides otherwise than the guest may', (invariant, has) => {
    const record = new DrillRecord(1)
    compareRights(record, has, EXITS)
    expect(record.violations.map((each) => each.invariant)).toContain(invariant)
  })

  test('are kept by a party that comes in again after it has gone out, and broken before that', () => {
    const party = { persons: 3 }
    for (const [out, isBroken] of [
      [5, false],
      [15, true],
    ] as const) {
      const record = new DrillRecord(1)
      const exit = stored('r1', 0, undefined, out, { ...party, accesspoint_id: WAY_OUT, direction: 'out' })
      compareRights(record, [stored('r1', 0, 0, 0, party), exit, stored('r1', 0, 0, 10, party)], EXITS)
      expect([out, broken(record, 'allowed') !== '']).toEqual([out, isBroken])
    }
  })

  test('are kept by a refusal of one who could come in after an entry was undone', () => {
    const record = new DrillRecord(1)
    scanned(record, 'o1', [server(0)]).undo = 'done'
    compareRights(record, [stored('o1', 3)], EXITS)
    expect(record.violations).toEqual([])
  })

  test('are kept by entries as often as allowed, and refusals after them', () => {
    const record = new DrillRecord(1)
    compareRights(record, [stored('o1', 3), stored('o1', 0), stored('t1', 0), stored('t1', 0), stored('x1', 1)], EXITS)
    expect(record.violations).toEqual([])
  })

  test('a device that lets a guest in twice breaks them, two devices do not, nor does one that turned the guest away at first', () => {
    const twice = new DrillRecord(1)
    for (const at of [0, 9]) scanned(twice, 'o1', [at ? server(0) : device(0)], at)
    compareOwn(twice, EXITS)
    expect(broken(twice, 'again')).toContain('one device let in 2 persons, allowed 1')
    const record = new DrillRecord(1)
    for (const scanner of [0, 1]) scanned(record, 'o1', [device(0)], 0, { scanner })
    scanned(record, 'o1', [device(3), server(0)], 9)
    compareOwn(record, EXITS)
    expect(record.violations).toEqual([])
  })
})

test('a device may let as many of a party in again as have gone out, and whoever was undone', () => {
  const record = new DrillRecord(1)
  const party = { persons: 3 }
  for (const at of [0, 20]) scanned(record, 'r1', [device(0)], at, party)
  const out = scanned(record, 'r1', [device(0)], 10, { ...party, point: WAY_OUT })
  const [first] = [scanned(record, 'o1', [device(0)]), scanned(record, 'o1', [device(0)], 9)]
  first.undo = 'done'
  compareOwn(record, EXITS)
  expect(record.violations).toEqual([])
  delete first.undo
  record.attempts.splice(record.attempts.indexOf(out), 1)
  compareOwn(record, EXITS)
  expect(record.violations.map(({ kind }) => kind)).toEqual([
    'one device let in 6 persons, allowed 3',
    'one device let in 2 persons, allowed 1',
  ])
})

describe('walk-ins', () => {
  const walkIn = (last_name: string, party_size = 2): DrillGuest => {
    return { uid: crypto.randomUUID(), last_name, party_size, source: 'walk_in' }
  }
  const added = (record: DrillRecord): ScanAttempt =>
    scanned(record, 'Walk-in 0-0', [device(0)], 0, { how: 'walk-in', persons: 2 })

  test('are one guest with one check-in each, which is compared under the name', () => {
    const record = new DrillRecord(1)
    added(record)
    const guest = walkIn('Walk-in 0-0')
    const rows = namedBy([guest], [stored(guest.uid, 0, undefined, 0, { persons: 2 })])
    compareShown(record, rows)
    compareRights(record, rows, EXITS)
    compareWalkIns(record, rows, [guest])
    expect(record.violations).toEqual([])
  })

  test('whose tab was killed, or who were undone, may be no guest', () => {
    const record = new DrillRecord(1)
    added(record).isCutShort = true
    added(record).undo = 'done'
    compareWalkIns(record, [], [])
    expect(record.violations).toEqual([])
  })

  test.each([
    ['a walk-in is no guest', []],
    ['a walk-in is several guests', [walkIn('Walk-in 0-0'), walkIn('Walk-in 0-0')]],
    ['a walk-in has a smaller party than came in', [walkIn('Walk-in 0-0', 1)]],
    ['a guest was added whom nobody has added', [walkIn('Walk-in 0-0'), walkIn('Walk-in 9-9')]],
  ])('%s: that is a violation', (kind, guests) => {
    const record = new DrillRecord(1)
    added(record)
    compareWalkIns(record, [], guests)
    expect(record.violations.map((each) => each.kind)).toEqual([kind])
  })

  test('who are refused are a violation', () => {
    const record = new DrillRecord(1)
    compareWalkIns(record, [{ ...stored('Walk-in 0-0', 3), isWalkIn: true }], [])
    expect(broken(record, 'added')).toContain('a walk-in is refused')
  })
})

test('a device that still waits at the end is a violation, which says what its screen says', () => {
  const record = new DrillRecord(1)
  record.endings.push({ differences: [], waiting: undefined }, { differences: [], waiting: 'Offline · 3 waiting' })
  compareQueues(record)
  expect(broken(record, 'sent')).toContain('scanner 1 says: Offline · 3 waiting')
})
