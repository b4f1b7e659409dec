import { expect, test } from 'vitest'
import { handoverOf } from '../src/queue/handover.ts'
import type { StoredScan } from '../src/scanning/scan.ts'

const STAMP = '2027-05-01T08:00:00.000Z'

const scan = (fields: Partial<StoredScan>): StoredScan =>
  ({
    event_id: 'gala',
    accesspoint_id: 'door',
    guest_uid: 'ada',
    content: 'ada',
    access_stamp: STAMP,
    decided_offline: null,
    access_status: null,
    ...fields,
  }) as StoredScan
const filesOf = (...scans: StoredScan[]) =>
  handoverOf(scans).map(({ name, text }) => [name, JSON.parse(text).access_controls])

test('scans are handed over in one file for each event, as the body of a batch', () => {
  expect(filesOf(scan({}), scan({ event_id: 'fair' }), scan({ guest_uid: 'bob', decided_offline: 0 }))).toEqual([
    [
      'scans-gala.json',
      [
        { accesspoint_id: 'door', guest_uid: 'ada', access_stamp: STAMP },
        { accesspoint_id: 'door', guest_uid: 'bob', access_stamp: STAMP, decided_offline: 0 },
      ],
    ],
    ['scans-fair.json', [{ accesspoint_id: 'door', guest_uid: 'ada', access_stamp: STAMP }]],
  ])
})

test('a code that only the server can read is apart, and never a uid', () => {
  expect(filesOf(scan({ guest_uid: null, content: 'GE1…' }), scan({}))).toEqual([
    ['ciphered-scans-gala.json', [{ accesspoint_id: 'door', content: 'GE1…', access_stamp: STAMP }]],
    ['scans-gala.json', [{ accesspoint_id: 'door', guest_uid: 'ada', access_stamp: STAMP }]],
  ])
})

test('walk-ins are apart: each is the body of a request that adds it', () => {
  const walk_in = { guest_category_id: 'vip', persons: 2 }
  const [file] = handoverOf([scan({ guest_uid: 'made-here', name: 'Ada', walk_in })])
  const item = { uid: 'made-here', last_name: 'Ada', ...walk_in, accesspoint_id: 'door', access_stamp: STAMP }
  expect([file?.name, JSON.parse(file?.text ?? '')]).toEqual(['walk-ins-gala.json', { walk_ins: [item] }])
})

test('what the server has answered is not handed over', () => {
  expect(filesOf(scan({ access_status: 0, decided_offline: 0 }))).toEqual([])
})
