import { expect, test } from 'vitest'
import { Semaphore } from './semaphore.ts'

/** Work that goes on until it is told to end; notes when it begins. */
function work(begun: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    end: resolve,
    run: async () => {
      begun.push(name)
      await promise
    },
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('work beyond the capacity waits, and an account that holds less goes before one that holds more', async () => {
  const semaphore = new Semaphore(3, 2)
  const begun: string[] = []
  const jobs = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => ({ name, ...work(begun, name) }))
  const all = jobs.map(({ name, run }) => semaphore.run(name.slice(0, 1), 1, 60_000, run))
  await turn()
  // Two of a, which may hold no more, and one of b.
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  jobs[0]?.end()
  await turn()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  for (const { end } of jobs) end()
  await Promise.all(all)
  expect(begun).toHaveLength(6)
})

test('work that fails makes room for the next', async () => {
  const semaphore = new Semaphore(1, 1)
  await expect(semaphore.run('a', 1, 1_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await semaphore.run('a', 5, 1_000, async () => 'done')).toBe('done')
})

test('work that finds no room in time is refused, and never done', async () => {
  const semaphore = new Semaphore(1, 1)
  const begun: string[] = []
  const first = work(begun, 'first')
  const held = semaphore.run('a', 1, 1_000, first.run)
  await expect(semaphore.run('b', 1, 1, work(begun, 'second').run)).rejects.toMatchObject({ code: 'unavailable' })
  first.end()
  await held
  expect(begun).toEqual(['first'])
})
