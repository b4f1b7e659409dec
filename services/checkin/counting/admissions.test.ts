import { expect, test } from 'vitest'
import { Admissions } from './admissions.ts'

test('each taker learns whose check-ins were recounted since its last call, or that any may have been', () => {
  const admissions = new Admissions()
  const enter = (uids: string[]) => {
    for (const uid of uids) admissions.add(uid, { accesspoint_id: 'door', at: 0, persons: 1, isExit: false })
  }
  const [one, other] = [{}, {}]
  enter(['ada'])
  expect(admissions.takeRecounted(one)).toBeUndefined()
  expect(admissions.takeRecounted(one)).toEqual([])
  enter(['bob', 'bob', 'cyd'])
  expect(admissions.takeRecounted(one)).toEqual(['bob', 'cyd'])
  enter(['ada'])
  expect(admissions.takeRecounted(other)).toBeUndefined()
  expect(admissions.takeRecounted(one), 'another taker came between').toBeUndefined()
  expect(['ada', 'bob', 'eve'].map((uid) => admissions.movesOf(uid).length)).toEqual([2, 2, 0])
})
