import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { writeOut } from './export/out.ts'
import { columns, print } from './printing.ts'
import { draw, say } from './terminal.ts'
import { captured } from './testing/captured-terminal.ts'

/** A name that would clear the screen, ring, begin a sequence by C1, delete and turn letters around. */
const HOSTILE = 'Ada\x1b[2J\x07\x9b31m\x7f\u202egnp.exe\u2066'
const ESCAPED = 'Ada\\u001b[2J\\u0007\\u009b31m\\u007f\\u202egnp.exe\\u2066'
const never = new AbortController().signal

test('what a tenant named so that it acts on terminals is printed escaped, in lines, columns and JSON', () => {
  const terminal = captured()
  print(terminal, {}, [], columns('id', HOSTILE, 'a\tb\nc'), HOSTILE)
  print(terminal, { json: true }, { name: HOSTILE })
  const [columned, line, json = ''] = terminal.text.out.split('\n')
  expect([columned, line]).toEqual([`id\t${ESCAPED}\ta\\tb\\nc`, ESCAPED])
  expect(json).toContain(ESCAPED)
  expect(JSON.parse(json)).toEqual({ name: HOSTILE })
})

test('our own drawing keeps its sequences', () => {
  const terminal = captured()
  say(terminal.err, HOSTILE)
  draw(terminal.out, '\x1b[30;107m▀\x1b[0m')
  expect(terminal.text).toEqual({ err: `${ESCAPED}\n`, out: '\x1b[30;107m▀\x1b[0m\n' })
})

test('an export is exact where it goes into a file or a pipe, and escaped on a screen', async () => {
  // A chunk may end within a letter.
  const bytes = Buffer.from(`uid,${HOSTILE},𠮷é\n`)
  const source = () => Readable.from(Array.from(bytes, (byte) => Buffer.from([byte])))
  for (const [isTTY, expected] of [
    [false, bytes.toString()],
    [true, `uid,${ESCAPED},𠮷é\n`],
  ] as const) {
    const stream = Object.assign(new PassThrough(), { isTTY })
    await writeOut([source()], { stream }, never)
    stream.end()
    expect(await text(stream)).toBe(expected)
  }
})
