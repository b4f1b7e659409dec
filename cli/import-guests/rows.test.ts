import { References } from '@gatehouse/proto/formats/lists/references.ts'
import { expect, test } from 'vitest'
import { mapColumns } from './headers.ts'
import { keyOf, RowReader } from './rows.ts'

const vip = { _id: 'a'.repeat(24), name: 'VIP' }
const press = { _id: 'b'.repeat(24), name: 'Presse' }
const door = { _id: 'd'.repeat(24), name: 'Main door' }

function read(headers: string[], cells: string[][], references = new References([vip], [door])) {
  const rows = cells.map((each, index) => ({ line: index + 2, cells: each }))
  return new RowReader(mapColumns({ headers, headerLine: 1 }), { headers }, references).read(rows)
}
const problemsOf = ({ bad }: ReturnType<typeof read>) => bad.map(({ row, problem }) => `${row.line}: ${problem}`)

test('a row becomes the body of a guest, unknown columns its metadata', () => {
  const { good } = read(['Last name', 'Diet', 'uid'], [['Ōe', 'vegan', '']])
  expect(good[0]?.body).toEqual({
    last_name: 'Ōe',
    guest_category_id: vip._id,
    guest_metadata: [{ name: 'Diet', value: 'vegan' }],
  })
})

test('equal rows have different keys, and each the same one at the next reading, in whatever order the columns come', () => {
  const keys = (headers: string[], cells: string[][]) => read(headers, cells).good.map((row) => keyOf('event', row))
  const first = keys(
    ['Name', 'Diet', 'Shirt'],
    [
      ['Li', 'none', 'M'],
      ['Li', 'none', 'M'],
      ['Ng', '', ''],
    ],
  )
  expect(new Set(first).size).toBe(3)
  expect(
    keys(
      ['Shirt', 'name', 'Diet'],
      [
        ['M', 'Li', 'none'],
        ['', 'Ng', ''],
        ['M', 'Li', 'none'],
      ],
    ),
  ).toEqual([first[0], first[2], first[1]])
})

test('another event or another content makes another key', () => {
  const [row, other] = read(['Name'], [['Li'], ['Ng']]).good
  const keys = [keyOf('a', row!), keyOf('b', row!), keyOf('a', other!)]
  expect(new Set(keys).size).toBe(3)
})

test('errors of rows are found without the service', () => {
  const found = read(
    ['Name', 'uid', 'rsvp_status', 'email'],
    [
      ['Li', 'u1', '', ''],
      ['Ng', 'u1', '', ''],
      ['', '', '', ''],
      ['Li'],
      ['Li', '', '', '', 'more'],
      ['x'.repeat(300), '', 'perhaps', 'Ada'],
      ['Li', '', '', '', ''],
    ],
  )
  expect(problemsOf(found)).toEqual([
    '3: Uid u1 is also in line 2',
    '4: It has no last name, e-mail, company or uid',
    '6: Row has 5 columns, the header has 4',
    '7: Email is not valid; Last name is too long (maximum is 255 characters); Rsvp status is not one of not_replied, accepted, declined',
  ])
  expect(found.good.map(({ row }) => row.line)).toEqual([2, 5, 8])
})

test('a category is found by name whatever its case, or by id', () => {
  const both = new References([vip, press], [])
  const { good, bad } = read(
    ['Name', 'Category'],
    [
      ['A', 'vip'],
      ['B', press._id],
      ['C', 'Crew'],
      ['D', ''],
    ],
    both,
  )
  expect(good.map(({ body }) => body.guest_category_id)).toEqual([vip._id, press._id])
  expect(bad.map(({ problem }) => problem)).toEqual([
    'There is no guest category "Crew"',
    'The row has no guest category, and the event has several',
  ])
})

test('--category is for rows without a category; --create-categories collects each missing one once', () => {
  const given = new References([vip, press], [], { fallback: 'presse', createMissing: true })
  const { good, bad } = read(
    ['Name', 'Category'],
    [
      ['A', ''],
      ['B', 'Crew'],
      ['C', 'crew'],
    ],
    given,
  )
  expect(bad).toEqual([])
  expect(good.map(({ body }) => body.guest_category_id)).toEqual([press._id, 'Crew', 'Crew'])
  expect([...given.missing.values()]).toEqual(['Crew'])
})

test('a name that two categories share is refused', () => {
  const twice = new References([vip, { ...press, name: 'Vip' }], [])
  expect(problemsOf(read(['Name', 'Category'], [['A', 'VIP']], twice))[0]).toContain('use the id')
})

test('access privileges name check-in points of the event', () => {
  const cells = ['[{"accesspoint":"main DOOR","access_once":true}]', '[{"accesspoint":"Roof"}]', 'Main door']
  const { good, bad } = read(
    ['Name', 'access_privileges'],
    cells.map((cell) => ['A', cell]),
  )
  expect(good[0]?.body.access_privileges_attributes).toEqual([{ access_once: true, accesspoint_id: door._id }])
  expect(bad[0]?.problem).toBe('There is no check-in point "Roof"')
  expect(bad[1]?.problem).toContain('is not a list of check-in points')
})
