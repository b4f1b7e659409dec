import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { luminance } from '@gatehouse/proto/pages/colour.ts'
import { expect, test } from 'vitest'

const css = await readFile(join(import.meta.dirname, '../src/style.css'), 'utf8')

/** The colour that a token has in both modes: `light-dark()` would have to be read here too. */
function token(name: string): string {
  const [, colour = ''] = new RegExp(`--${name}: (#\\w+);`).exec(css) ?? expect.fail(`no --${name}`)
  return colour.length === 4 ? `#${[...colour.slice(1)].map((digit) => digit + digit).join('')}` : colour
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other].map((name) => luminance(token(name)) + 0.05).toSorted((a, b) => a - b)
  return light / dark
}

const REFUSED = ['refused', 'unknown', 'used-up']
const UNCONFIRMED = ['unconfirmed', 'undecided']

test('granted, refused and unconfirmed results differ by a contrast of 3 or more, without their colours', () => {
  for (const refused of REFUSED) {
    expect(contrast('granted', refused), refused).toBeGreaterThanOrEqual(3)
    for (const unconfirmed of UNCONFIRMED) expect(contrast(unconfirmed, refused), refused).toBeGreaterThanOrEqual(3)
  }
  for (const unconfirmed of UNCONFIRMED) expect(contrast('granted', unconfirmed), unconfirmed).toBeGreaterThanOrEqual(3)
})

test('a guest at the kiosk and the staff behind see apart whether it is a welcome', () => {
  expect(contrast('granted', 'ask-staff')).toBeGreaterThanOrEqual(3)
  expect(contrast('ask-staff', 'on-ask-staff')).toBeGreaterThanOrEqual(4.5)
})

test('the text on each result has a contrast of 4.5 or more', () => {
  expect(contrast('granted', 'on-granted')).toBeGreaterThanOrEqual(4.5)
  for (const refused of REFUSED) expect(contrast(refused, 'on-refused'), refused).toBeGreaterThanOrEqual(4.5)
  for (const each of UNCONFIRMED) expect(contrast(each, 'on-unconfirmed'), each).toBeGreaterThanOrEqual(4.5)
})
