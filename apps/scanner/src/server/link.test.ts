import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Link } from './link.ts'

const browser = new EventTarget()
const counts = { reached: 0, began: 0 }
let link: Link

/** A link to a server which answers after `ms`, or fails then. */
function linkTo(ms: number, isReached = true): Link {
  const contact = () => {
    counts.began++
    return new Promise((resolve, reject) => setTimeout(isReached ? resolve : reject, ms))
  }
  return new Link(
    contact,
    () => {},
    () => counts.reached++,
  )
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
  Object.assign(counts, { reached: 0, began: 0 })
})
afterEach(() => {
  link.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('on a network which takes five seconds no steward waits for the server, and what can wait goes on every twenty seconds', async () => {
  link = linkTo(5_000)
  link.start()
  await vi.advanceTimersByTimeAsync(5_100)
  expect([link.isUp, counts.reached]).toEqual([false, 1])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(link.isUp).toBe(false)
  expect(counts.began).toBeGreaterThan(20)
  expect(counts.reached).toBeGreaterThanOrEqual(3)
  expect(counts.reached).toBeLessThanOrEqual(4)
})

test('a server which answers in time is up', async () => {
  link = linkTo(100)
  link.start()
  await vi.advanceTimersByTimeAsync(200)
  expect([link.isUp, counts.reached]).toEqual([true, 1])
})

test('a contact which fails late reaches nobody, and one which comes after the end neither', async () => {
  link = linkTo(5_000, false)
  link.start()
  await vi.advanceTimersByTimeAsync(6_000)
  expect([link.isUp, counts.reached]).toEqual([false, 0])
  link.stop()
  link = linkTo(5_000)
  link.start()
  await vi.advanceTimersByTimeAsync(1_000)
  link.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(counts.reached).toBe(0)
})
