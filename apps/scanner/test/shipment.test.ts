import { expect, test } from 'vitest'
import { heldUpWith, MAX_BATCH, shipmentOf } from '../src/queue/shipment.ts'
import type { Scan } from '../src/scanning/scan.ts'

const scan = (sequence: number, is_asked: boolean, guest_uid: string | null = 'ada'): Scan =>
  ({ sequence, is_asked, guest_uid }) as Scan
const placesOf = (scans: Scan[]): number[] => shipmentOf(scans).map(({ sequence }) => sequence)

test('scans go up in their order: one which the server was asked for goes alone, those between go together', () => {
  expect(placesOf([])).toEqual([])
  expect(placesOf([scan(1, true), scan(2, false)])).toEqual([1])
  expect(placesOf([scan(2, false), scan(3, false), scan(4, true), scan(5, false)])).toEqual([2, 3])
})

test('a code which the server has to read goes alone', () => {
  expect(placesOf([scan(1, false, null), scan(2, false)])).toEqual([1])
})

test('a shipment which can not be judged is held up alone, one whose code can not be read with all others of which that is so', () => {
  const [first, second, third] = [scan(1, true), scan(2, false, null), scan(3, true, null)]
  expect(heldUpWith([first], [first, second, third])).toEqual([first])
  expect(heldUpWith([second], [second, first, third])).toEqual([second, third])
})

test('a batch has its limit', () => {
  const many = Array.from({ length: MAX_BATCH + 1 }, (_, index) => scan(index, false))
  expect(shipmentOf(many)).toHaveLength(MAX_BATCH)
})
