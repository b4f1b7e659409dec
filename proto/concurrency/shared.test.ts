import { describe, expect, test } from 'vitest'
import { shared } from './shared.ts'

describe('shared work', () => {
  test('runs once for all who call until it ends, and again for those who call later', async () => {
    let runs = 0
    const ended = Promise.withResolvers<void>()
    const work = shared(async () => {
      const run = ++runs
      await ended.promise
      return run
    })
    const first = work()
    const second = work()
    ended.resolve()
    expect(await Promise.all([first, second])).toEqual([1, 1])
    expect(await work()).toBe(2)
  })

  test('fails for all who share it, and starts over for those who call later', async () => {
    let runs = 0
    const work = shared(async () => {
      if (++runs === 1) throw new Error('once')
      return runs
    })
    const both = await Promise.allSettled([work(), work()])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await work()).toBe(2)
  })
})
