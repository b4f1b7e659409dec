import { expect, test } from 'vitest'
import { coloursOf, luminance } from './colour.ts'

test('text is readable on any account’s colour', () => {
  for (let n = 0; n < 4096; n += 7) {
    const { background, text } = coloursOf(`#${n.toString(16).padStart(3, '0')}`)
    expect(contrast(background, text), background).toBeGreaterThanOrEqual(4.5)
  }
  expect(coloursOf('#FFCC00')).toEqual({ background: '#ffcc00', text: '#000000' })
  expect(coloursOf('#003366').text).toBe('#ffffff')
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
})

test('an invalid colour gives the default one', () => {
  const own = coloursOf(null)
  for (const colour of ['red;}body{display:none', '#12', '', '#gggggg', undefined])
    expect(coloursOf(colour)).toEqual(own)
})

/** The contrast of two colours `#rrggbb` as WCAG defines it, 1 to 21. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}
