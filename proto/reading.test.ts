import { describe, expect, test } from 'vitest'
import { identifier, integer, list, maybe, record } from './fields.ts'
import { queryReaderOf } from './reading.ts'

describe('the reader of a query string', () => {
  const read = queryReaderOf(record({ page: integer({ default: 1 }), category: maybe(list(identifier(), 'category')) }))

  test.each([
    [{ 'category[]': ['a', 'b'] }, ['a', 'b']],
    [{ 'category[]': 'a' }, ['a']],
    [{ category: 'a' }, ['a']],
    [{ category: ['a', 'b'] }, ['a', 'b']],
    [{ 'category[0]': 'a', 'category[1]': 'b' }, ['a', 'b']],
    [{ 'category[]': ['', 'a'] }, ['a']],
    [{ 'category[]': '' }, undefined],
  ])('takes %j as a list', (query, category) => {
    expect(read(query)).toEqual({ value: { page: 1, ...(category && { category }) } })
  })

  test('gives a name with brackets no meaning where the schema has no list', () => {
    expect(read({ 'page[]': '2' })).toEqual({ value: { page: 1 } })
  })
})
