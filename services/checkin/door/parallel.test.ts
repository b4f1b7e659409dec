// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises'
import { retried } from '@gatehouse/test/harness/retried.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const STAMP = '2026-05-01T08:00:00.000Z'

describe('many scans at once over two checkin services', () => {
  let testEvent: TestEvent
  let category: string

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
  })

  const countOf = (rows: { access_status: number }[], status: number): number =>
    rows.filter(({ access_status }) => access_status === status).length

  test('of 200 scans of a guest with 3 accesses, single and in batches, exactly 3 are granted', async () => {
    for (let round = 0; round < 5; round++) {
      const [point, uid] = [await testEvent.point(), `guest ${round}`]
      await testEvent.link(category, point, 3)
      await testEvent.guest(category, uid)
      const item = { accesspoint_id: point, guest_uid: uid }
      const answers = await Promise.all([
        ...Array.from({ length: 100 }, () => testEvent.scan(point, uid)),
        ...Array.from({ length: 10 }, () => testEvent.make('access_controls/batch_create.json', Array(10).fill(item))),
      ])
      const checkIns = answers.flat()
      expect(checkIns).toHaveLength(200)
      expect([countOf(checkIns, 0), countOf(checkIns, 3)]).toEqual([3, 197])
      expect(new Set(checkIns.map(({ _id }) => _id)).size).toBe(200)
    }
    expect((await testEvent.read('statistics.json')).by_status.map(({ count }: { count: number }) => count)).toEqual([
      15, 0, 0, 985,
    ])
  })

  test('with batches sent twice, retries take no second access', async () => {
    const point = await testEvent.point()
    await testEvent.link(category, point, 3)
    await testEvent.guest(category, 'retried')
    const items = Array.from({ length: 20 }, (_, n) => ({
      accesspoint_id: point,
      guest_uid: 'retried',
      access_stamp: new Date(Date.parse(STAMP) + n * 1_000).toISOString(),
    }))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => testEvent.make('access_controls/batch_create.json', items)),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(countOf(answers[0], 0)).toBe(3)
    const stored = (await testEvent.all('access_controls.json')).filter(
      ({ accesspoint_id }) => accesspoint_id === point,
    )
    expect([countOf(stored, 0), countOf(stored, 3)]).toEqual([3, 17])
    expect((await testEvent.scan(point, 'retried')).access_status).toBe(3)
  })

  test('scans beside deletions never let in more than allowed at a time', async () => {
    const point = await testEvent.point()
    await testEvent.link(category, point, 2)
    await testEvent.guest(category, 'comes and goes')
    const inside = new Set<string>()
    let most = 0
    const comeAndGo = async (): Promise<void> => {
      for (let n = 0; n < 25; n++) {
        const { _id, access_status } = await testEvent.scan(point, 'comes and goes')
        if (access_status !== 0) continue
        inside.add(_id)
        most = Math.max(most, inside.size)
        // Until two are inside together: a third one would be seen.
        do await sleep(20)
        while (most < 2)
        inside.delete(_id)
        // On a busy machine it may be refused, and done by a try that had no answer.
        const { status } = await retried(() => testEvent.api('DELETE', `access_controls/${_id}.json`))
        expect([204, 404]).toContain(status)
      }
    }
    await Promise.all(Array.from({ length: 8 }, comeAndGo))
    expect(most).toBe(2)
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await testEvent.scan(point, 'comes and goes')).access_status)
    expect(statuses).toEqual([0, 0, 3, 3])
  })
})
