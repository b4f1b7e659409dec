import jsqr from 'jsqr'
import { describe, expect, test } from 'vitest'
import { EnrolmentCodes } from './enrolment-codes.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const OF_DEVICES = { base: 'https://tickets.example.org/gate', purpose: 'device codes', groups: 2 }
const codes = new EnrolmentCodes({ ...OF_DEVICES, secrets_key: KEY })

/** What a camera reads of a QR code as `qrcode` draws it: strips of dark modules. */
function scanned(svg: string): string | undefined {
  const side = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const scale = 4
  const pixels = new Uint8ClampedArray((side * scale) ** 2 * 4).fill(255)
  const path = / d="(M[^"]*h[^"v]*)"/.exec(svg)?.[1] ?? ''
  let [column, row] = [0, 0]
  for (const [, sign, x, y] of path.matchAll(/([Mmh])([\d.]+)(?: ([\d.]+))?/g)) {
    const length = Number(x)
    if (sign === 'M') [column, row] = [length, Math.floor(Number(y))]
    else if (sign === 'm') column += length
    else {
      for (let line = row * scale; line < (row + 1) * scale; line++) {
        const from = (line * side * scale + column * scale) * 4
        for (let at = from; at < from + length * scale * 4; at += 4) pixels.fill(0, at, at + 3)
      }
      column += length
    }
  }
  // jsQR is CommonJS, so its function is the default export of its default export.
  return (jsqr as unknown as typeof jsqr.default)(pixels, side * scale, side * scale)?.data
}

describe('one-time codes', () => {
  test('are the longer the more groups they have', () => {
    const code = new EnrolmentCodes({ ...OF_DEVICES, secrets_key: KEY, groups: 3 }).create()
    expect(code).toMatch(/^([CDFHJKLMNPQRTVWX2-9]{4}-){2}[CDFHJKLMNPQRTVWX2-9]{4}$/)
  })

  test('are groups of four signs with dashes, without vowels and look-alikes, and all different', () => {
    const made = Array.from({ length: 500 }, () => codes.create())
    for (const code of made) expect(code).toMatch(/^[CDFHJKLMNPQRTVWX2-9]{4}-[CDFHJKLMNPQRTVWX2-9]{4}$/)
    expect(new Set(made).size).toBe(500)
    expect(new Set(made.join('')).size).toBe(25)
  })

  test('have one hash however they are typed, and another under another key or for another purpose', () => {
    const hash = codes.hashOf('CDFH-2345')
    for (const typed of ['cdfh-2345', 'CDFH2345', 'cd fh 23 45', ' c-d-f-h2345 '])
      expect(codes.hashOf(typed)).toBe(hash)
    expect(codes.hashOf('CDFH-2346')).not.toBe(hash)
    const others = [{ secrets_key: Buffer.alloc(32, 8).toString('base64') }, { secrets_key: KEY, purpose: 'others' }]
    for (const other of others)
      expect(new EnrolmentCodes({ ...OF_DEVICES, ...other }).hashOf('CDFH-2345')).not.toBe(hash)
  })

  test('a camera reads the address of the page, whose fragment is the code', async () => {
    const svg = await codes.qrCodeOf('CDFH-2345', 'scanner')
    expect(scanned(svg)).toBe('https://tickets.example.org/gate/scanner/#CDFH-2345')
  })
})
