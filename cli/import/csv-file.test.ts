import { expect, test } from 'vitest'
import { decode, guessDelimiter, readCsv } from './csv-file.ts'

const bytes = (text: string): Buffer => Buffer.from(text)

test('a byte order mark tells the encoding, and is no part of the first header', () => {
  const text = 'Prénom,Nom\nZoë,Ünal\n'
  const big = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
  for (const file of [bytes(`\uFEFF${text}`), Buffer.from(`\uFEFF${text}`, 'utf16le'), big, bytes(text)]) {
    expect(readCsv(file).headers).toEqual(['Prénom', 'Nom'])
    expect(readCsv(file).rows[0]?.cells).toEqual(['Zoë', 'Ünal'])
  }
})

test('what is not UTF-8 is read as windows-1252', () => {
  expect(decode(Buffer.from([0x5a, 0x6f, 0xeb, 0x20, 0x80]))).toEqual({ text: 'Zoë €', encoding: 'windows-1252' })
})

test('--encoding is obeyed, and refused where the bytes are not of it', () => {
  expect(decode(Buffer.from([0xe6]), 'iso-8859-2').text).toBe('ć')
  expect(() => decode(Buffer.from([0xe6]), 'utf-8')).toThrow('not in utf-8')
  expect(() => decode(Buffer.from([0xe6]), 'klingon')).toThrow('not known')
})

test('the delimiter is guessed from the header line, quotes left aside', () => {
  expect(guessDelimiter('a;b;c\n1,2,3,4,5;6;7')).toBe(';')
  expect(guessDelimiter('a\tb\n')).toBe('\t')
  expect(guessDelimiter('"a,b,c,\n,d";e\n')).toBe(';')
  expect(guessDelimiter('only')).toBe(',')
  expect(readCsv(bytes('sep=|\na|b\n1|2\n'))).toMatchObject({ delimiter: '|', rows: [{ line: 3, cells: ['1', '2'] }] })
})

test('a row has the line where it starts, whatever blank lines, line ends and quoted line breaks come before it', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['a,b', '', '1,"x', '', 'y"', '2,3', ' , ', '', '4,"5,""6"'].join(end)
    expect(readCsv(bytes(text)).rows).toEqual([
      { line: 3, cells: ['1', 'x\n\ny'] },
      { line: 6, cells: ['2', '3'] },
      { line: 9, cells: ['4', '5,"6'] },
    ])
  }
})

test('the formula sign of an export is taken away again', () => {
  expect(readCsv(bytes("a\n'=1+1\n''=x\n'n Roses\n+33 6\n")).rows.map(({ cells }) => cells[0])).toEqual([
    '=1+1',
    "'=x",
    "'n Roses",
    '+33 6',
  ])
})

test('a quote that is never closed refuses the file and says where', () => {
  expect(() => readCsv(bytes('a,b\n1,2\n3,"4\n5,6\n'))).toThrow('never closed, in the row of line 3')
})

test('an empty file is refused', () => {
  expect(() => readCsv(bytes('\n\n'))).toThrow('empty')
})
