import { expect, test } from 'vitest'
import { background } from './background.ts'
import { Poller } from './poller.ts'

/** A poller whose looks give what the test says, in turn, and then nothing; `begun` has the times of their beginnings. */
function scripted(times: { everyMs: number; idleMs?: number }, results: (unknown | Error)[] = []) {
  const begun: number[] = []
  const errors: unknown[] = []
  const poller = new Poller({
    ...times,
    look: async () => {
      const result = results[begun.push(performance.now()) - 1]
      if (result instanceof Error) throw result
      return result
    },
    onError: (error) => errors.push(error),
  })
  const pauses = (): number[] => begun.slice(1).map((at, n) => at - (begun[n] ?? 0))
  return { poller, begun, errors, pauses }
}

test('pauses double while nothing is found, up to the longest, and are short again after a find', async () => {
  const { poller, begun, pauses } = scripted({ everyMs: 20, idleMs: 80 }, [false, false, false, false, true])
  poller.wake()
  await expect.poll(() => begun.length, { interval: 5 }).toBeGreaterThanOrEqual(6)
  await poller.stop()
  const [first = 0, second = 0, third = 0, fourth = 0] = pauses()
  // Timers are late on a busy machine, but never early; Node rounds down by less than a millisecond.
  expect([first >= 39, second >= 79, third >= 79, fourth >= 79]).toEqual([true, true, true, true])
  expect(pauses()[4]).toBeGreaterThanOrEqual(19)
})

test('a failed look is reported and tried again after the shortest pause', async () => {
  const failure = new Error('away')
  const { poller, begun, errors } = scripted({ everyMs: 5, idleMs: 60_000 }, [failure, failure, true])
  poller.wake()
  await expect.poll(() => begun.length).toBeGreaterThanOrEqual(3)
  await poller.stop()
  expect(errors).toEqual([failure, failure])
})

test('who is woken looks at once, however long the pause is', async () => {
  const { poller, begun } = scripted({ everyMs: 60_000 })
  poller.wake()
  await expect.poll(() => begun.length).toBe(1)
  poller.wake()
  await expect.poll(() => begun.length).toBe(2)
  await poller.stop()
})

test('who is woken during a look looks once more after it, and never twice at a time', async () => {
  const looks: PromiseWithResolvers<void>[] = []
  let running = 0
  const poller = new Poller({
    everyMs: 60_000,
    look: async () => {
      expect(++running).toBe(1)
      const look = Promise.withResolvers<void>()
      looks.push(look)
      await look.promise
      running--
    },
    onError: (error) => expect.unreachable(String(error)),
  })
  poller.wake()
  await expect.poll(() => looks.length).toBe(1)
  poller.wake()
  poller.wake()
  looks[0]?.resolve()
  await expect.poll(() => looks.length).toBe(2)
  looks[1]?.resolve()
  await poller.stop()
  expect(looks.length).toBe(2)
})

test('a stop ends the poll that is under way, and waits for it; nothing is polled or reported afterwards', async () => {
  const errors: unknown[] = []
  let looks = 0
  const poller = new Poller({
    everyMs: 1,
    look: async (signal) => {
      looks++
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))))
    },
    onError: (error) => errors.push(error),
  })
  poller.wake()
  await expect.poll(() => looks).toBe(1)
  await poller.stop()
  poller.wake()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([looks, errors]).toEqual([1, []])
})

test('nobody looks while background work rests, which begins when looks under way have ended', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let looks = 0
  const poller = new Poller({
    everyMs: 1,
    look: () => {
      looks++
      return ended
    },
    onError: () => {},
  })
  poller.wake()
  await expect.poll(() => looks).toBe(1)
  const owner = {}
  const resting = background.rest(owner)
  end()
  await resting
  poller.wake()
  const other = scripted({ everyMs: 1 })
  other.poller.wake()
  await other.poller.stop()
  expect([looks, other.begun]).toEqual([1, []])
  background.resume(owner)
  await expect.poll(() => looks).toBeGreaterThan(1)
  await poller.stop()
})
