import { expect, test } from 'vitest'
import { entriesBefore } from '../src/scanning/entries.ts'
import type { Status, StoredScan } from '../src/scanning/scan.ts'
import type { ListedCheckIn } from '../src/server/server.ts'

const points = [{ _id: 'door', name: 'North' }]
const scan = (sequence: number, guest_uid: string, access_status: Status): StoredScan =>
  ({ sequence, guest_uid, access_status, accesspoint_id: 'door' }) as StoredScan
const checkIn = (guest_uid: string, access_stamp: string, access_status = 0, accesspoint_id = 'door') => ({
  guest_uid,
  access_stamp,
  access_status,
  accesspoint_id,
})

test('whoever was refused as too many entered at the same check-in point before: that is found, page by page, and no further', async () => {
  const pages: ListedCheckIn[][] = [
    [checkIn('ada', '5', 3), checkIn('ada', '4', 0, 'lounge'), checkIn('bob', '3')],
    [checkIn('ada', '2'), checkIn('ada', '1')],
  ]
  const asked: number[] = []
  const page = async (number: number) => {
    asked.push(number)
    return pages[number - 1] ?? []
  }
  const refused = [scan(1, 'ada', 3), scan(2, 'bob', 3), scan(3, 'bob', 2)]
  expect([...(await entriesBefore(refused, points, page))]).toEqual([
    [2, { stamp: '3', point: 'North' }],
    [1, { stamp: '2', point: 'North' }],
  ])
  expect(asked).toEqual([1, 2])
})

test('nothing is asked for where nobody was refused as too many, and an entry that is not listed is not found', async () => {
  expect(await entriesBefore([scan(1, 'ada', 1)], points, () => expect.fail())).toEqual(new Map())
  expect(await entriesBefore([scan(1, 'ada', 3)], points, async () => [])).toEqual(new Map())
})
