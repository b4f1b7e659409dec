import { expect, test } from 'vitest'
import { traceparentOf } from './request.ts'

test('a valid traceparent is kept, and anything else is replaced by a new one', () => {
  const given = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  expect(traceparentOf(given)).toBe(given)
  for (const other of [undefined, '', 'nonsense', `${given}\n`, [given, given]])
    expect(traceparentOf(other)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
})

test('no two requests get the same trace or span', () => {
  const made = Array.from({ length: 2_000 }, () => traceparentOf(undefined).split('-'))
  expect(new Set(made.map(([, trace]) => trace)).size).toBe(made.length)
  expect(new Set(made.map(([, , span]) => span)).size).toBe(made.length)
})
