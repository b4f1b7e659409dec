import { expect, test } from 'vitest'
import { type MessageCode, messageOf, messageSentences } from './messages.ts'

test.each(Object.entries(messageSentences))(
  'the message of %s has each of its values in its sentence',
  (code, sentence) => {
    const names = Array.from(sentence.matchAll(/(?<!\{)\{(\w+)\}(?!\})/g), ([, name = '']) => name)
    const values = Object.fromEntries(names.map((name, index) => [name, `value ${index}`]))
    const message = messageOf(code as MessageCode, values)
    expect(message).toMatchObject({ code, values })
    for (const value of Object.values(values)) expect(String(message)).toContain(value)
    expect(String(message)).not.toMatch(/undefined|(?<!\{)\{\w+\}(?!\})/)
  },
)

test('in JSON a message is its sentence', () => {
  expect(JSON.stringify([messageOf('too_long', { limit: 255 })])).toBe('["is too long (maximum is 255 characters)"]')
})
