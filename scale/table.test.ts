// @module-tag slow
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readCosts } from './costs.ts'
import { tableOf } from './table.ts'

test('docs/operations.md has the table that `npm run scale -- --table` prints', () => {
  const text = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')
  expect(text).toContain(tableOf(readCosts()).join('\n'))
})
