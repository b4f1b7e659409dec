import { expect, test } from 'vitest'
import { Paced } from './paced.ts'

/** Work of which each run ends when the test says so. */
function steered() {
  const runs: PromiseWithResolvers<void>[] = []
  const paced = new Paced(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  return { runs, paced }
}

test('callers share the run that begins after they came, and none joins one that has begun', async () => {
  const { runs, paced } = steered()
  const first = paced.run()
  await expect.poll(() => runs.length).toBe(1)
  const ended: string[] = []
  const more = ['second', 'third'].map((name) => paced.run().then(() => ended.push(name)))
  runs[0]?.resolve()
  await first
  await expect.poll(() => runs.length).toBe(2)
  expect(ended).toEqual([])
  runs[1]?.resolve()
  await Promise.all(more)
  expect(runs.length).toBe(2)
})

test('a run that fails fails for its callers alone', async () => {
  const { runs, paced } = steered()
  const first = paced.run()
  await expect.poll(() => runs.length).toBe(1)
  const second = paced.run()
  runs[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect.poll(() => runs.length).toBe(2)
  runs[1]?.resolve()
  await second
})

test('the next run waits nine times as long as the last one took', async () => {
  const begins: number[] = []
  const paced = new Paced(async () => {
    begins.push(performance.now())
    await new Promise((resolve) => setTimeout(resolve, 20))
  })
  await paced.run()
  await paced.run()
  expect((begins[1] as number) - (begins[0] as number)).toBeGreaterThan(180)
})
