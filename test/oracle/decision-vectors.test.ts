import { describe, expect, test } from 'vitest'
import { decisionVectors, play } from './decision-vectors.ts'
import { OracleWorld } from './oracle-world.ts'

describe('the oracle decides as the vectors say', () => {
  test.each(decisionVectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    await play(vector, new OracleWorld(vector))
  })
})

test('there are many cases, each with a name of its own', () => {
  expect(new Set(decisionVectors.map(({ name }) => name)).size).toBe(decisionVectors.length)
  expect(decisionVectors.length).toBeGreaterThan(60)
})
