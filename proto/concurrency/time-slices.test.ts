import { expect, test } from 'vitest'
import { TimeSlicer } from './time-slices.ts'

/** Keeps the event loop for `ms`. */
function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Counts the turns of the event loop in which others are served, until it is told to end. */
function turns() {
  let count = 0
  let isOver = false
  const next = (): void => {
    count++
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  return {
    count: () => count,
    end: () => {
      isOver = true
    },
  }
}

test('the results come in the order of the items', async () => {
  expect(await new TimeSlicer().map([3, undefined, 1], (item) => item)).toEqual([3, undefined, 1])
  expect(await new TimeSlicer().map([], () => 0)).toEqual([])
})

test('others are served after each item that takes as long as a slice', async () => {
  const others = turns()
  const seen = await new TimeSlicer().map(Array.from({ length: 10 }), () => {
    work(3)
    return others.count()
  })
  others.end()
  expect(new Set(seen).size).toBe(10)
})

test('short items share a slice', async () => {
  const others = turns()
  const seen = await new TimeSlicer().map(Array.from({ length: 10_000 }), () => others.count())
  others.end()
  expect(new Set(seen).size).toBeLessThan(5_000)
})

/** Runs four slices of 5 ms in a slicer, each with a last `act`; returns when each began and ended, and the CPU time that it took, in ms. */
async function fourSlices(slicer: TimeSlicer, act = (): void => {}) {
  const slices: { name: string; begun: number; ended: number; cpu: number }[] = []
  const slice = (name: string) => () => {
    const begun = performance.now()
    const before = process.threadCpuUsage()
    work(5)
    const { user, system } = process.threadCpuUsage(before)
    slices.push({ name, begun, ended: performance.now(), cpu: (user + system) / 1_000 })
    act()
  }
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => slicer.run(slice(name))))
  return slices
}

/** The slicer rests after each slice for at least a multiple of its CPU time, but for two milliseconds: timers count whole ones. */
function expectRests(slices: Awaited<ReturnType<typeof fourSlices>>, multiple: number): void {
  for (const [index, { ended, cpu }] of slices.entries()) {
    const next = slices[index + 1]
    if (next) expect(next.begun - ended).toBeGreaterThan(multiple * cpu - 2)
  }
}

test('one slice runs at a time, in the order of asking, with a turn of the event loop in between', async () => {
  const others = turns()
  const slices = await fourSlices(new TimeSlicer())
  others.end()
  expect(slices.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  expect(others.count()).toBeGreaterThanOrEqual(slices.length - 1)
})

test('the slicer rests four times as long as a slice took while others are being served', async () => {
  const slicer = new TimeSlicer()
  expect(slicer.servesOthers).toBe(false)
  expectRests(await fourSlices(slicer, () => slicer.noteRequest()), 4)
})

test('long works share the slicer: each gets on while the other is not done', async () => {
  const slicer = new TimeSlicer()
  const order: string[] = []
  const long = (name: string) =>
    slicer.map(Array.from({ length: 5 }), () => {
      work(3)
      order.push(name)
    })
  await Promise.all([long('a'), long('b')])
  expect(order.join('')).toBe('ababababab')
})

test('a slice that throws rejects, and the slicer goes on', async () => {
  const slicer = new TimeSlicer()
  const failing = slicer.run(() => {
    throw new Error('no')
  })
  const next = slicer.run(() => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
  const items = slicer.map([1, 2, 3], (item) => {
    if (item === 2) throw new Error('two')
  })
  await expect(items).rejects.toThrow('two')
  expect(await slicer.run(() => 'after')).toBe('after')
})

test('bytes of large bodies are taken in at 2 MiB a second while others are being served, and at once otherwise', async () => {
  const slicer = new TimeSlicer()
  const takingIn = async () => {
    const start = performance.now()
    await Promise.all(Array.from({ length: 4 }, () => slicer.run(() => {}, 65_536)))
    return performance.now() - start
  }
  const alone = await takingIn()
  const requests = setInterval(() => slicer.noteRequest(), 1)
  slicer.noteRequest()
  const took = await takingIn()
  clearInterval(requests)
  // A quarter of a MiB; timers count whole milliseconds.
  expect(took).toBeGreaterThan(118)
  expect(alone).toBeLessThan(took)
})
