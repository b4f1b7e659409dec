import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalesced } from './coalescing.ts'

test('concurrent questions share a run, and each gets its own answer', async () => {
  const runs: number[][] = []
  const double = coalesced(async (numbers: number[]) => {
    runs.push(numbers)
    await sleep(5)
    return numbers.map((number) => 2 * number)
  })
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(runs).toEqual([[1, 2, 3]])
})

test('a question never joins a run that has begun', async () => {
  let value = 'old'
  const read = coalesced(async (questions: string[]) => {
    const seen = value
    await sleep(5)
    return questions.map(() => seen)
  })
  const before = read('a')
  await sleep(1)
  value = 'new'
  expect(await read('b')).toBe('new')
  expect(await before).toBe('old')
})

test('while two runs are under way, the rest waits and goes in one', async () => {
  const runs: number[] = []
  const released = Promise.withResolvers<void>()
  const ask = coalesced(async (questions: number[]) => {
    runs.push(questions.length)
    await released.promise
    return questions
  })
  const answers: Promise<number>[] = []
  for (let number = 0; number < 10; number++) {
    answers.push(ask(number))
    await sleep(1)
  }
  released.resolve()
  expect(await Promise.all(answers)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(runs).toEqual([1, 1, 8])
})

test('where a run fails, its questions fail and the next run is not touched', async () => {
  const ask = coalesced(async (questions: string[]) => {
    if (questions.includes('bad')) throw new Error('failed')
    return questions
  })
  const together = await Promise.allSettled([ask('bad'), ask('beside')])
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask('good')).toBe('good')
})
