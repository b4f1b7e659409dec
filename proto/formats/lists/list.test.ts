import { slow } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'
import { formOf } from './form.ts'
import { openList, readList } from './list.ts'
import type { ListRow } from './rows.ts'
import type { ListSettings } from './settings.ts'

const bytes = (text: string): Buffer => Buffer.from(text)
const isKnown = (header: string): boolean => ['Prénom', 'Nom', 'Name', 'email'].includes(header)
const read = (file: Uint8Array, settings: Partial<ListSettings> = {}) => readList(file, { isKnown, ...settings })

test('a byte order mark tells the encoding, and is no part of the first header', async () => {
  const text = 'Prénom,Nom\nZoë,Ünal\n'
  const big = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
  for (const file of [bytes(`\uFEFF${text}`), Buffer.from(`\uFEFF${text}`, 'utf16le'), big, bytes(text)]) {
    expect((await read(file)).headers).toEqual(['Prénom', 'Nom'])
    expect((await read(file)).rows[0]?.cells).toEqual(['Zoë', 'Ünal'])
  }
})

test('an encoding that is given is obeyed, and refused where the bytes are not of it', async () => {
  const file = Buffer.concat([bytes('Name\n'), Buffer.from([0xe6])])
  expect((await read(file, { encoding: 'iso-8859-2' })).rows[0]?.cells).toEqual(['ć'])
  await expect(read(file, { encoding: 'utf-8' })).rejects.toThrow('not in utf-8')
  await expect(read(file, { encoding: 'klingon' })).rejects.toThrow('there is no such encoding')
})

test('the delimiter is guessed from the first rows, quotes left aside', async () => {
  const guessed = (text: string): string => formOf(text, true, isKnown).delimiter
  expect(guessed('a;b;c\n1,2,3,4,5;6;7')).toBe(';')
  expect(guessed('a\tb\n')).toBe('\t')
  expect(guessed('a|b\n1|2,3\n')).toBe('|')
  expect(guessed('"a,b,c,\n,d";e\n')).toBe(';')
  expect(guessed('Guests, all of them, of Acme\nName;email\nLi;l@x.test\n')).toBe(';')
  expect(guessed('only')).toBe(',')
  expect(await read(bytes('sep=|\na|b\n1|2\n'))).toMatchObject({
    text: { delimiter: '|' },
    rows: [{ line: 3, cells: ['1', '2'] }],
  })
})

test('a row has the line where it starts, whatever blank lines, line ends and quoted line breaks come before it', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['a,b', '', '1,"x', '', 'y"', '2,3', ' , ', '', '4,"5,""6"'].join(end)
    expect((await read(bytes(text))).rows).toEqual([
      { line: 3, cells: ['1', 'x\n\ny'] },
      { line: 6, cells: ['2', '3'] },
      { line: 9, cells: ['4', '5,"6'] },
    ])
  }
})

test('the formula sign of an export is taken away again', async () => {
  const { rows } = await read(bytes("a\n'=1+1\n''=x\n'n Roses\n'+33 6\n\"=\"\"000124\"\"\"\n''000125\n"))
  expect(rows.map(({ cells }) => cells[0])).toEqual(['=1+1', "'=x", "'n Roses", '+33 6', '000124', "'000125"])
})

test('a quote that is never closed refuses the file and says where', async () => {
  await expect(read(bytes('a,b\n1,2\n3,"4\n5,6\n'))).rejects.toThrow('has a quote in line 3 that is never closed')
})

test('an empty file is refused', async () => {
  await expect(read(bytes('\n\n'))).rejects.toMatchObject({
    message: 'The file is empty',
    errors: { file: ['is empty'] },
  })
})

test('a file of many pieces is read as it is, whatever sign a piece ends in', slow, async () => {
  for (const [sign, end] of [
    ['é', '\n'],
    ['🎟', '\r\n'],
    ['x', '\r'],
  ]) {
    const cell = `${sign}`.repeat(7)
    const lines = Array.from({ length: 30_000 }, (_, n) => `${n},"${cell}${end}y"`)
    const { rows } = await read(bytes(['a,b', ...lines].join(end)))
    expect(rows).toHaveLength(lines.length)
    for (const [n, row] of rows.entries()) {
      if (row.line !== 2 + 2 * n || row.cells[1] !== `${cell}\ny`) expect([n, row]).toBeUndefined()
    }
  }
})

test('other work has its turn while a large file is read', slow, async () => {
  const file = bytes(`a,b\n${'x,y\n'.repeat(400_000)}`)
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await read(file)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
})

const limits = { rows: 2, columns: 3, rowCharacters: 40, unpackedBytes: 1_000 }

test('beyond limits a file is refused: rows with too_large, columns and the length of a row with their line', async () => {
  expect((await read(bytes('a,b,c\n1,2,3\n\n4,5,6\n , \n'), { limits })).rows).toHaveLength(2)
  await expect(read(bytes('a\n1\n2\n3\n'), { limits })).rejects.toMatchObject({
    code: 'too_large',
    message: 'A file may have at most 2 rows',
  })
  for (const [file, problem] of [
    ['a,b,c,d\n', 'has more than 3 columns in line 1'],
    ['a\n1\n,,,,\n', 'has more than 3 columns in line 3'],
    [`a\n${'x'.repeat(60)}\n`, 'has a row of more than 40 characters in line 2'],
  ] as const) {
    await expect(read(bytes(file), { limits })).rejects.toMatchObject({
      code: 'invalid',
      errors: { file: [problem] },
    })
  }
})

/** A file as a disk gives it, some bytes at a time; `given` says how many of them so far. */
function inChunks(file: Uint8Array, size: number): { read: () => AsyncIterable<Uint8Array>; given: () => number } {
  let given = 0
  async function* read(): AsyncGenerator<Uint8Array> {
    given = 0
    for (let from = 0; from < file.length; from += size) {
      given = from
      yield file.subarray(from, from + size)
    }
  }
  return { read, given: () => given }
}

async function rowsOf(pieces: AsyncIterable<ListRow[]>): Promise<ListRow[]> {
  const all: ListRow[] = []
  for await (const rows of pieces) all.push(...rows)
  return all
}

test('a file that is read piece by piece, however often, says the same as when read at once', slow, async () => {
  const lines = Array.from({ length: 300 }, (_, n) => `${n};"Zoë ${n} 😀${n % 7 ? '' : '\r\n'}"`)
  const text = `sep=;\r\nn;Prénom\r\n${lines.join('\r\n')}`
  const latin = Buffer.from(`${text.replaceAll('😀', '')}\r\n301;Ünal`, 'latin1')
  for (const file of [bytes(text), bytes(`\uFEFF${text}`), latin, Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
    const { rows, ...form } = await read(file)
    for (const size of [7, 1_000, file.length]) {
      const source = await openList(inChunks(file, size).read, { isKnown })
      expect(source).toMatchObject({ ...form, count: rows.length })
      expect(await rowsOf(source.rows())).toEqual(rows)
      expect(await rowsOf(source.rows())).toEqual(rows)
    }
  }
})

test('the first rows of a large file are there before its end is read', async () => {
  const file = bytes(`a,b\n${'1,2\n'.repeat(100_000)}`)
  const { read: chunks, given } = inChunks(file, 65_536)
  const source = await openList(chunks, { isKnown })
  const first = await source.rows().next()
  expect(first.value?.[0]).toEqual({ line: 2, cells: ['1', '2'] })
  expect(given()).toBeLessThan(file.length / 2)
})

test('opening a file finds its errors', async () => {
  const file = bytes(`a,b\n${'1,2\n'.repeat(50_000)}3,"4\n`)
  await expect(openList(inChunks(file, 65_536).read, { isKnown })).rejects.toThrow(
    'has a quote in line 50002 that is never closed',
  )
  await expect(openList(inChunks(bytes(''), 10).read, { isKnown })).rejects.toThrow('is empty')
})
