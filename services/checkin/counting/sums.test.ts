import { expect, test } from 'vitest'
import { Admissions } from './admissions.ts'
import { sumsOf } from './sums.ts'
import { MINUTE_MS, minuteOf, Totals } from './totals.ts'

test('a minute to come in a segment of an older version is not shown, and does not move the window', async () => {
  const now = minuteOf(Date.now())
  const [lately, ahead] = [now - 5 * MINUTE_MS, now + 2 * 86_400_000]
  const scan = { accesspoint_id: 'door', guest_uid: 'ada', access_status: 1, persons: 1, isExit: false }
  const totals = Totals.of([lately, ahead].map((time) => ({ ...scan, arrival: time, stamp: time + 1, at: time + 1 })))
  const noSplit = async (): Promise<[number, number]> => [0, 0]
  const { timeline, totals: sum } = await sumsOf([{ totals }], new Admissions(), new Map(), noSplit)
  expect(timeline).toEqual([{ minute: new Date(lately), granted: 0, refused: 1 }])
  expect(sum.count).toBe(2)
})
