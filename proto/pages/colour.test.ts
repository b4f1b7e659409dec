import { expect, test } from 'vitest'
import { coloursOf, contrast } from './colour.ts'

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
