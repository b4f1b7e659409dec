import { expect, test } from 'vitest'
import { heldUpWith, MAX_BATCH, sendable, shipmentOf } from '../src/queue/shipment.ts'
import type { StoredScan } from '../src/scanning/scan.ts'

const scan = (sequence: number, is_asked: boolean, guest_uid: string | null = 'ada'): StoredScan =>
  ({ sequence, is_asked, guest_uid }) as StoredScan
const placesOf = (scans: StoredScan[]): number[] => shipmentOf(scans).map(({ sequence }) => sequence)

test('scans go up in their order: one that the server was asked for goes alone, those between go together', () => {
  expect(placesOf([])).toEqual([])
  expect(placesOf([scan(1, true), scan(2, false)])).toEqual([1])
  expect(placesOf([scan(2, false), scan(3, false), scan(4, true), scan(5, false)])).toEqual([2, 3])
})

test('a code that the server has to read goes alone', () => {
  expect(placesOf([scan(1, false, null), scan(2, false)])).toEqual([1])
})

test('a shipment that cannot be judged is held up alone, one whose code cannot be read with all others of which that is so', () => {
  const [first, second, third] = [scan(1, true), scan(2, false, null), scan(3, true, null)]
  expect(heldUpWith([first], [first, second, third])).toEqual([first])
  expect(heldUpWith([second], [second, first, third])).toEqual([second, third])
})

test('a batch has its limit', () => {
  const many = Array.from({ length: MAX_BATCH + 1 }, (_, index) => scan(index, false))
  expect(shipmentOf(many)).toHaveLength(MAX_BATCH)
})

test('while the server is asked for a scan, later ones of the same guest at the same point wait for it: it would decide them first', () => {
  const at = (sequence: number, guest_uid: string | null, accesspoint_id = 'door'): StoredScan =>
    ({ ...scan(sequence, false, guest_uid), accesspoint_id }) as StoredScan
  const waiting = [
    at(1, 'ada'),
    at(2, 'ada'),
    at(3, 'bob'),
    at(4, 'ada', 'gate'),
    at(5, null),
    at(6, null),
    at(7, 'ada'),
  ]
  const sent = (...asking: number[]): number[] => sendable(waiting, new Set(asking), []).map(({ sequence }) => sequence)
  expect(sent()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(sent(2)).toEqual([1, 3, 4, 5, 6])
  expect(sent(1, 5)).toEqual([3, 4, 6])
  // While the server cannot delete a check-in it would refuse the guest's next one.
  expect(sendable(waiting, new Set(), [at(0, 'ada')]).map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6])
})
