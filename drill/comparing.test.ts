import type { StoredCheckIn } from '@gatehouse/cli/demo/recount.ts'
import { describe, expect, test } from 'vitest'
import type { DrillClient } from './client.ts'
import { compareHistories, compareStored, compareTroubles } from './comparing.ts'
import { compareWithRecount } from './counting.ts'
import type { Invariant } from './invariants.ts'
import { DrillRecord, type RecordedScan, type ScannedGuest } from './record.ts'
import { violationsOf } from './report.ts'

/** A history as a drill records it: Ada may enter once, by a point where others are refused for that (3). */
const ADA: ScannedGuest = { uid: 'ada', point: 'door', limit: 1, refusal: 3 }

/** A guest with three others, all of whom may enter once. */
const PARTY: ScannedGuest = { ...ADA, limit: 4, party: 4 }

/** A scan that was sent at `at` and answered 10 ms later. */
function scanned(
  record: DrillRecord,
  at: number,
  status: number,
  {
    place = ADA,
    how = 'keyed',
    persons = 1,
  }: { place?: ScannedGuest; how?: RecordedScan['how']; persons?: number } = {},
): RecordedScan {
  const scan = record.scan(place, how, persons)
  scan.sent.push(at)
  scan.answers.push({ _id: `id of ${scan.stamp}`, status, at: at + 10 })
  return scan
}

const storedOf = ({ place, stamp, persons, answers: [first] }: RecordedScan, more: object = {}): StoredCheckIn =>
  ({
    _id: first?._id ?? 'unknown',
    guest_uid: place.uid,
    accesspoint_id: place.point,
    access_stamp: stamp,
    access_status: first?.status ?? 0,
    persons,
    ...more,
  }) as StoredCheckIn

/** What a comparison finds against each of these invariants. */
function found(record: DrillRecord, ...invariants: Invariant[]): string {
  return invariants.flatMap((invariant) => violationsOf(record, invariant)).join('\n')
}

describe('what is stored', () => {
  const compared = (rows: StoredCheckIn[], record: DrillRecord): string => {
    compareStored(record, rows)
    return found(record, 'stored', 'once', 'recovery')
  }

  test('is right if each answered scan is there once, as it was answered; one without an answer may be there', () => {
    const record = new DrillRecord(1)
    const scans = [scanned(record, 0, 0), scanned(record, 100, 3)]
    scans[0]?.answers.push({ _id: scans[0].answers[0]?._id ?? '', status: 0, at: 50 })
    const lost = record.scan(ADA, 'single')
    expect(
      compared(
        [...scans, lost].map((each) => storedOf(each)),
        record,
      ),
    ).toBe('')
  })

  test.each<[string, (scan: RecordedScan) => StoredCheckIn[]]>([
    ['an answered check-in is missing', () => []],
    ['one scan is stored twice', (scan) => [storedOf(scan), storedOf(scan, { _id: 'another' })]],
    ['stored with another status or id than answered', (scan) => [storedOf(scan, { access_status: 3 })]],
    ['stored as another scan', (scan) => [storedOf(scan, { guest_uid: 'bob' })]],
    ['stored and never sent', (scan) => [storedOf(scan), storedOf(scan, { access_stamp: 'never' })]],
    [
      'two answers to one scan differ',
      (scan) => {
        scan.answers.push({ _id: 'another', status: 0, at: 50 })
        return [storedOf(scan)]
      },
    ],
    [
      'a deleted check-in is stored',
      (scan) => {
        scan.deletion = { sent: 100, answered: 110 }
        return [storedOf(scan)]
      },
    ],
    [
      'a device that retried for a minute got no answer',
      (scan) => {
        scan.answers.length = 0
        return []
      },
    ],
  ])('is wrong: %s', (kind, rowsOf) => {
    const record = new DrillRecord(1)
    const scan = scanned(record, 0, 0)
    expect(compared(rowsOf(scan), record)).toContain(kind)
  })
})

describe('the history of a guest at a point', () => {
  const compared = (record: DrillRecord): string => {
    compareHistories(
      record,
      record.scans.map((scan) => storedOf(scan)),
    )
    return found(record, 'allowed', 'burnt', 'reasons')
  }

  test('is right with as many grants as allowed, refusals beyond, and a grant again once one is deleted', () => {
    const record = new DrillRecord(1)
    scanned(record, 0, 0).deletion = { sent: 200, answered: 210 }
    scanned(record, 100, 3)
    scanned(record, 300, 0)
    expect(compared(record)).toBe('')
  })

  test('is right where two scans at once are refused and granted, and where there is no limit', () => {
    const record = new DrillRecord(1)
    scanned(record, 0, 3)
    scanned(record, 5, 0)
    const free = { ...ADA, point: 'gate', limit: -1 }
    for (const at of [0, 10, 20]) scanned(record, at, 0, { place: free })
    expect(compared(record)).toBe('')
  })

  test('counts the persons of a party: all of them or nobody', () => {
    const record = new DrillRecord(1)
    scanned(record, 0, 0, { place: PARTY, persons: 3 })
    scanned(record, 100, 3, { place: PARTY, persons: 2 })
    scanned(record, 200, 0, { place: PARTY })
    expect(compared(record)).toBe('')
  })

  test.each<[string, (record: DrillRecord) => void]>([
    [
      'granted more often than allowed',
      (record) => {
        scanned(record, 0, 0)
        scanned(record, 100, 0)
      },
    ],
    [
      'granted more often than allowed',
      (record) => {
        scanned(record, 0, 0, { place: PARTY, persons: 3 })
        scanned(record, 100, 0, { place: PARTY, persons: 2 })
      },
    ],
    [
      'refused though an access was left',
      (record) => {
        scanned(record, 0, 0, { place: PARTY, persons: 3 })
        scanned(record, 100, 3, { place: PARTY })
      },
    ],
    ['refused though an access was left', (record) => void scanned(record, 0, 3)],
    ['granted without a right', (record) => void scanned(record, 0, 0, { place: { ...ADA, limit: 0, refusal: 2 } })],
    ['refused for the wrong reason', (record) => void scanned(record, 0, 1)],
    ['refused where there is no limit', (record) => void scanned(record, 0, 3, { place: { ...ADA, limit: -1 } })],
  ])('is wrong: %s', (kind, make) => {
    const record = new DrillRecord(1)
    make(record)
    expect(compared(record)).toContain(kind)
  })
})

describe('closed connections and late answers', () => {
  const compared = (record: DrillRecord): string => {
    compareTroubles(record)
    return found(record, 'failures', 'deadline')
  }
  const trouble = { gateway: 'gateway-1', what: 'GET /', sentAt: 1_000, at: 8_000, maxMs: 6_000 }
  const fault = { what: 'paused', name: 'gateway-1', from: 2_000, to: 4_000, back: 4_500 }

  test('are excused by a fault of their gateway', () => {
    const record = new DrillRecord(1)
    record.faults.push(fault)
    record.closed.push(trouble)
    record.slow.push(trouble)
    expect(compared(record)).toBe('')
  })

  test('are not excused by that of another one, or by an earlier one', () => {
    const record = new DrillRecord(1)
    record.faults.push({ ...fault, name: 'gateway-2' }, { ...fault, from: 0, to: 500, back: 900 })
    record.closed.push(trouble)
    record.slow.push(trouble)
    expect(compared(record)).toContain('a connection was closed without a fault of its gateway')
    expect(compared(record)).toContain('answered too late')
  })
})

describe('counts', () => {
  const counted = async (guest_count: number, uids: string[]): Promise<string> => {
    const record = new DrillRecord(1)
    const statistics = { guests: { total: 0 }, guest_categories: [], accesspoints: [] }
    const client = {
      record,
      list: async () => [{ uid: 'ada', guest_category_id: 'vip' }],
      read: async (path: string) => (path.includes('statistics') ? statistics : { guest_count, check_in_count: 0 }),
    } as object as DrillClient
    await compareWithRecount(client, [], { uids, categories: [] })
    return found(record, 'counts')
  }

  test('are wrong where the event has another number of guests, or a guest is missing', async () => {
    expect(await counted(2, ['ada'])).toContain('guest_count')
    expect(await counted(1, ['ada', 'bob'])).toContain('the guest bob is missing')
  })
})
