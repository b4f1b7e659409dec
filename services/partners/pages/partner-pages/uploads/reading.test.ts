import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'
import { MAX_ROWS, readUpload } from './reading.ts'

/** The good rows of a text, each as address, first name, last name. */
async function read(text: string | Uint8Array): Promise<(string | null)[][]> {
  const { good } = await readUpload(typeof text === 'string' ? Buffer.from(text) : text)
  return good.map(({ recipient: { email, first_name, last_name } }) => [email, first_name, last_name])
}

const ADA = ['ada@example.org', 'Ada', 'Lovelace']
const BOB = ['bob@example.org', null, null]

test.each([
  ['a line each', 'ada@example.org\nbob@example.org', [['ada@example.org', null, null], BOB]],
  ['names before addresses', 'Ada Lovelace <ada@example.org>\n\n  bob@example.org  ', [ADA, BOB]],
  ['a family name first', '"Lovelace, Ada" <ada@example.org>', [ADA]],
  ['a family name first, without quotes', 'Lovelace, Ada <ada@example.org>', [ADA]],
  ['names beside addresses', 'Ada Lovelace ada@example.org', [ADA]],
  ['several on one line', 'Ada Lovelace <ada@example.org>, bob@example.org;', [ADA, BOB]],
  ['a single name', 'Ada <ada@example.org>', [['ada@example.org', 'Ada', null]]],
  ['columns of a spreadsheet', 'Email\tVorname\tNachname\r\nada@example.org\tAda\tLovelace\r\n', [ADA]],
  ['columns without names', 'ada@example.org\tAda\tLovelace\nbob@example.org\t\t', [ADA, BOB]],
  ['columns in another order, without names', 'Ada;Lovelace;ada@example.org', [ADA]],
  ['one column with its name', 'E-Mail\nbob@example.org', [BOB]],
  ['a column of addresses with an unknown name', 'Kontakt;Vorname;Nachname\nada@example.org;Ada;Lovelace', [ADA]],
  ['quoted cells', 'email,first_name,last_name\n"ada@example.org","Ada","Lovelace"', [ADA]],
  ['the delimiter as Excel writes it', 'sep=;\nemail;first_name;last_name\nada@example.org;Ada;Lovelace', [ADA]],
  ['headers in Japanese', 'メールアドレス,名,姓\nada@example.org,Ada,Lovelace', [ADA]],
])('%s', async (_name, text, rows) => {
  expect(await read(text)).toEqual(rows)
})

test('a text of several pieces has the same lines: a line end may lie between two, and a line may fill more than one', async () => {
  const PIECE = 131_072
  const blank = `${' '.repeat(60_000)}\r\n`.repeat(2)
  const first = `${blank}${' '.repeat(PIECE - 1 - blank.length)}\r`
  expect(first).toHaveLength(PIECE)
  const [bob] = (await readUpload(Buffer.from(`${first}\nbob@example.org`))).good
  expect(bob).toMatchObject({ line: 4, address: 'bob@example.org' })
  const { good, bad } = await readUpload(Buffer.from(`${'x'.repeat(2 * PIECE)}\rbob@example.org`))
  expect(bad).toMatchObject([{ line: 1, problem: 'bad_long' }])
  expect(good).toMatchObject([{ line: 2, address: 'bob@example.org' }])
})

test('UTF-8 with a mark, UTF-16 and windows-1252 are read', async () => {
  const text = 'email;prénom;nom\nada@example.org;Zoë;Lovelace'
  const zoe = [['ada@example.org', 'Zoë', 'Lovelace']]
  expect(await read(`\u{feff}${text}`)).toEqual(zoe)
  expect(await read(Buffer.from(`\u{feff}${text}`, 'utf16le'))).toEqual(zoe)
  expect(await read(Buffer.from(text, 'latin1'))).toEqual(zoe)
})

test('bad rows have their line and reason, and hold nothing up', async () => {
  const table = await readUpload(
    Buffer.from(
      `email,first_name\nada@example.org,Ada\nnobody,Bob\n,Eve\n\nx@example.org,a,b\ny@example.org,${'y'.repeat(256)}`,
    ),
  )
  expect(table.good.map(({ line }) => line)).toEqual([2])
  expect(table.bad.map(({ line, problem }) => [line, problem])).toEqual([
    [3, 'bad_email'],
    [4, 'bad_no_email'],
    [6, 'bad_columns'],
    [7, 'bad_long'],
  ])
  const lines = await readUpload(Buffer.from('ada@example.org\n\nnobody\na@@b\n@\n<>'))
  expect(lines.bad.map(({ line, problem }) => [line, problem])).toEqual([
    [3, 'bad_email'],
    [4, 'bad_email'],
    [5, 'bad_email'],
    [6, 'bad_no_email'],
  ])
})

test('lines of tables without headers are counted from the first', async () => {
  const { good, bad } = await readUpload(Buffer.from('ada@example.org,Ada\nnobody,Bob'))
  expect([good.map(({ line }) => line), bad.map(({ line }) => line)]).toEqual([[1], [2]])
})

test('an address that is given again is a duplicate of its first line, in any spelling of its domain', async () => {
  const { good, duplicates } = await readUpload(Buffer.from('ada@bücher.example\nADA@xn--bcher-kva.example'))
  expect(good).toHaveLength(1)
  expect(duplicates).toEqual([{ line: 2, email: 'ADA@xn--bcher-kva.example', earlier: 1 }])
})

test('other columns become metadata, and the language is read', async () => {
  const { good } = await readUpload(Buffer.from('email,Firma,Sprache,id\nada@example.org,Analytical Engines,fr,7'))
  expect(good[0]?.recipient).toMatchObject({
    locale: 'fr',
    guest_metadata: [{ name: 'Firma', value: 'Analytical Engines' }],
  })
})

test('too many rows are refused, of a table and of lines', async () => {
  const rows = Array.from({ length: MAX_ROWS + 1 }, (_, index) => `a${index}@example.org`)
  for (const text of [
    rows.join('\n'),
    `email\n${rows.join('\n')}`,
    rows.slice(0, 1_000).join(',').concat('\n').repeat(11),
  ])
    await expect(readUpload(Buffer.from(text))).rejects.toMatchObject({ code: 'too_large' })
  expect((await readUpload(Buffer.from(rows.slice(1).join('\n')))).good).toHaveLength(MAX_ROWS)
})

test('garbage is refused, or its rows are bad; it never takes long', slow, async () => {
  const noise = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => (index * 7919 + (index >> 3)) % 256))
  const hostile = [
    noise,
    Buffer.alloc(1_000_000),
    Buffer.from(' '.repeat(1_000_000)),
    Buffer.from(`${' '.repeat(1_000_000)}<x@`),
    Buffer.from('<'.repeat(1_000_000)),
    Buffer.from('"'.repeat(1_000_000)),
    Buffer.from(`@,${','.repeat(1_000_000)}`),
    Buffer.from('email,"open\n'.repeat(10_000)),
    Buffer.from('PK\u0003\u0004'.repeat(1_000)),
    Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
  ]
  for (const bytes of hostile) {
    const reading = await readUpload(bytes).catch((error: unknown) => error)
    if (reading instanceof Fault) expect(['invalid', 'too_large']).toContain(reading.code)
    else expect(reading).toMatchObject({ good: [] })
  }
})
