import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { TestBacklog } from './test-backlog.ts'

// Takes a quarter of a minute: it waits for the pauses of badges.

let backlog: TestBacklog
beforeAll(async () => {
  backlog = await TestBacklog.open()
})
afterEach(() => backlog.stopProcesses())
afterAll(() => backlog?.close())

test('badges pause between batches while the database is busy, and all of them are made', deep, async () => {
  await backlog.start()
  backlog.proxy.slow(100)
  const { testEvent } = await backlog.waiting()
  expect(await backlog.secondsFor(testEvent)).toBeGreaterThan(5)
})

test('a badge whose link is opened is made before those that were ordered earlier', deep, async () => {
  const { testEvent, guests } = await backlog.waiting()
  await backlog.start()
  await backlog.secondsFor(testEvent)
  const last = guests.at(-1)._id
  const { badge_url } = await testEvent.read(`guests/${last}.json`)
  backlog.proxy.slow(100)
  const change = (id: string) => testEvent.change(`guests/${id}.json`, { company_name: 'Analytical Engines' })
  await Promise.all(guests.slice(0, -1).map(({ _id }) => change(_id)))
  await change(last)
  const answer = await fetch(badge_url)
  expect(answer.status).toBe(200)
  expect((await testEvent.read(`guests/${last}.json`)).badge_completed).toBe(true)
  await backlog.secondsFor(testEvent)
  const made = await backlog.badgesOf(testEvent).toArray()
  const opened = made.find(({ guest_id }) => guest_id === last)?.created_at
  expect(made.some(({ created_at }) => created_at > opened)).toBe(true)
})
