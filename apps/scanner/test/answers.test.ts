import { expect, test } from 'vitest'
import { concluded } from '../src/scanning/answers.ts'
import type { Scan, Status } from '../src/scanning/scan.ts'

const decided = (decided_offline: Status | null): Scan => ({ decided_offline }) as Scan

test.each<[Status | null, Status, string]>([
  [null, 0, 'confirmed'],
  [null, 3, 'confirmed'],
  [0, 0, 'confirmed'],
  [0, 3, 'refused'],
  [0, 1, 'refused'],
  [1, 3, 'confirmed'],
  [2, 0, 'refused'],
])('where the device has decided %j and the server has recorded %j, the scan is %s', (own, access_status, state) => {
  expect(concluded(decided(own), { guest_uid: 'ada', access_status })).toMatchObject({ state, access_status })
})

test('a scan which the server does not take is refused, with its words', () => {
  expect(concluded(decided(0), { problem: 'No' })).toMatchObject({ state: 'refused', problem: 'No' })
})
