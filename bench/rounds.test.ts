import { expect, test } from 'vitest'
import { inTurn, select } from './rounds.ts'

const CASES = ['floor', 'json', 'xml', 'list', 'page', 'uid']

test('no case goes before another in every round, and every round has all', () => {
  const rounds = [1, 2, 3, 4].map((round) => inTurn(CASES, round))
  for (const round of rounds) expect(round.toSorted()).toEqual(CASES.toSorted())
  const jsonFirst = rounds.map((round) => round.indexOf('json') < round.indexOf('xml'))
  expect(new Set(jsonFirst).size).toBe(2)
})

test('what is chosen brings along what it is compared with', () => {
  const names = (only: string[]): string[] => select(only).map(({ name }) => name)
  expect(names(['check-in xml'])).toEqual(['fastify', 'check-in json', 'check-in xml'])
  expect(names(['open'])).toEqual([
    'check-in, open loop',
    'told of, open loop',
    'watched, open loop',
    'one process, open loop',
    'check-in, ten rushes',
    'told of, ten rushes',
    'watched, ten rushes',
    'synced file, ten rushes',
  ])
  expect(() => names(['no such case'])).toThrow('--only')
})
