import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { drawQrCode } from './qr-code.ts'

const TEXT = 'http://127.0.0.1:8080/scanner/#ABCD2345'
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals have their colours so
const DARK_ON_LIGHT = /^\x1b\[30;107m(.*)\x1b\[0m$/

/** The lines of a code; each has two rows of modules. */
const linesOn = async (isTTY: boolean): Promise<string[]> =>
  (await drawQrCode(TEXT, Object.assign(new PassThrough(), { isTTY }))).split('\n')

test('a QR code has a quiet zone of four modules on each side, as readers need', async () => {
  const lines = await linesOn(false)
  const width = lines[0]?.length ?? 0
  expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([width]))
  for (const edge of [lines.slice(0, 2), lines.slice(-2)]) expect(edge.join('').trim()).toBe('')
  const inside = lines.slice(2, -2)
  expect(inside.every((line) => line.startsWith('    ') && line.endsWith('    '))).toBe(true)
  expect(inside[0]?.trim()).toMatch(/^█▀▀▀▀▀█/)
})

test('on a terminal it is dark on light, quiet zone included, whatever the colours are', async () => {
  const lines = await linesOn(true)
  expect(lines.map((line) => DARK_ON_LIGHT.exec(line)?.[1])).toEqual(await linesOn(false))
})
