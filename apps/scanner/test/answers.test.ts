import { describe, expect, test } from 'vitest'
import { GatehouseError } from '../../../clients/typescript/client.ts'
import { answeredLate, askFor, concluded } from '../src/scanning/answers.ts'
import type { Status, StoredScan } from '../src/scanning/scan.ts'
import type { ServerClient } from '../src/server/server.ts'

const decided = (decided_offline: Status | null): StoredScan => ({ decided_offline }) as StoredScan

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

test('a scan that the server does not take is refused, with its words', () => {
  expect(concluded(decided(0), { problem: 'No' })).toMatchObject({ state: 'refused', problem: 'No' })
})

test.each<[Status | null, Status, string]>([
  [null, 0, 'confirmed'],
  [0, 0, 'waiting'],
  [0, 3, 'waiting'],
])(
  'where the device has decided %j before the answer %j came, the scan is %s: the server has to hear of it',
  (own, access_status, state) => {
    expect(answeredLate(decided(own), { guest_uid: 'ada', access_status })).toMatchObject({ state, access_status })
  },
)

test('what the server does not take is not sent again with what the device has decided', () => {
  expect(answeredLate(decided(0), { problem: 'No' })).toMatchObject({ state: 'refused' })
})

describe('an error of the server', () => {
  const answerTo = (error: GatehouseError) => {
    const server = { checkIn: () => Promise.reject(error) } as unknown as ServerClient
    return askFor({ guest_uid: 'ada' } as StoredScan, server)
  }

  test.each([
    [new GatehouseError(422, 'persons is too big', { errors: { persons: ['is too big'] } }), 'persons is too big'],
    [new GatehouseError(422, 'guest_uid is too long', { errors: { guest_uid: ['is too long'] } }), 'guest_uid'],
    [new GatehouseError(403, 'The device is bound elsewhere', { reason: { code: 'other_points' } }), 'other_points'],
    [new GatehouseError(403, 'No walk-ins', { reason: { code: 'walk_ins_disallowed' } }), 'walk_ins_disallowed'],
  ])('which judges the scan ends it: %s', async (error, problem) => {
    expect(await answerTo(error)).toEqual({ problem })
  })

  test.each([
    new GatehouseError(403, 'The auth_token is not valid'),
    new GatehouseError(403, 'The answer is 403'),
    new GatehouseError(404, 'Not found'),
    new GatehouseError(404, 'The answer is 404'),
    new GatehouseError(422, 'The answer is 422'),
    new GatehouseError(503, 'Try again'),
  ])('which says nothing of the scan keeps it waiting: %s', async (error) => {
    await expect(answerTo(error)).rejects.toBe(error)
  })
})
