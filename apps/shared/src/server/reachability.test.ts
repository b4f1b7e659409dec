import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Reachability } from './reachability.ts'

const browser = new EventTarget()
const counts = { reached: 0, began: 0 }
let reachability: Reachability

/** The reachability of a server that answers after `ms`, or fails then. */
function reachabilityOf(ms: number, isReached = true): Reachability {
  const contact = () => {
    counts.began++
    return new Promise((resolve, reject) => setTimeout(isReached ? resolve : reject, ms))
  }
  return new Reachability(
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
  reachability.stop()
  vi.useRealTimers()
})

test('on a network that takes five seconds no steward waits for the server, and what can wait goes on every twenty seconds', async () => {
  reachability = reachabilityOf(5_000)
  reachability.start()
  await vi.advanceTimersByTimeAsync(5_100)
  expect([reachability.isUp, counts.reached]).toEqual([false, 1])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reachability.isUp).toBe(false)
  expect(counts.began).toBeGreaterThan(20)
  expect(counts.reached).toBeGreaterThanOrEqual(3)
  expect(counts.reached).toBeLessThanOrEqual(4)
})

test('a server that answers in time is up', async () => {
  reachability = reachabilityOf(100)
  reachability.start()
  await vi.advanceTimersByTimeAsync(200)
  expect([reachability.isUp, counts.reached]).toEqual([true, 1])
})

test('a contact that fails late reaches nobody, and one that comes after the end neither', async () => {
  reachability = reachabilityOf(5_000, false)
  reachability.start()
  await vi.advanceTimersByTimeAsync(6_000)
  expect([reachability.isUp, counts.reached]).toEqual([false, 0])
  reachability.stop()
  reachability = reachabilityOf(5_000)
  reachability.start()
  await vi.advanceTimersByTimeAsync(1_000)
  reachability.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(counts.reached).toBe(0)
})
