import { expect, test } from 'vitest'
import { inTurn, readOnly, select } from './rounds.ts'

const CASES = ['floor', 'json', 'xml', 'list', 'page', 'uid']

test('no case precedes another in every round, and every round has all cases', () => {
  const rounds = [1, 2, 3, 4].map((round) => inTurn(CASES, round))
  for (const round of rounds) expect(round.toSorted()).toEqual(CASES.toSorted())
  const jsonFirst = rounds.map((round) => round.indexOf('json') < round.indexOf('xml'))
  expect(new Set(jsonFirst).size).toBe(2)
})

test('a chosen case is measured together with those it is compared with', () => {
  const names = (only: string[]): string[] => select(only).map(({ name }) => name)
  expect(names(['check-in xml'])).toEqual(['plain check-in', 'check-in json', 'check-in xml'])
  expect(names(['open'])).toEqual([
    'check-in, 70 %',
    'check-in, 560/s',
    'with webhook, 560/s',
    'with live feeds, 560/s',
    'with large batches, 560/s',
    'with printed badges, 560/s',
  ])
})

test('--only takes names of groups and of cases, and refuses others', () => {
  expect(readOnly('check-in xml', ['lists'])).toEqual(['lists', 'check-in xml'])
  expect(() => readOnly('no such case', [])).toThrow('It takes a group (single, alone,')
})
