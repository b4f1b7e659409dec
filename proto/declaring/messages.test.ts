import { expect, test } from 'vitest'
import { type MessageCode, messageCodes, messageOf, readMessage } from './messages.ts'

const values = {
  limit: 255,
  values: 'a, b',
  fields: 'a, b or c',
  thing: 'a guest',
  owner: 'event',
  act: 'delete',
  found: '%x%',
  type: 'PNG',
  reason: 'no such mailbox',
  value: 'ada@example.com',
  line: 3,
  wanted: 4,
  encoding: 'utf-8',
  name: 'Guests',
  names: 'One, Two',
  kind: '.xls',
  text: 'Guests of Acme',
  field: 'since',
}

test.each(messageCodes)('the sentence of %s is read back to its code and values', (code: MessageCode) => {
  const sentence = messageOf(code, values)
  expect(sentence).not.toMatch(/undefined|\{\w+\}(?!\})/)
  const read = readMessage(sentence)
  expect(read?.code).toBe(code)
  expect(messageOf(code, read?.values)).toBe(sentence)
})

test('a sentence without a code is none', () => {
  expect(readMessage('is odd')).toBeUndefined()
  expect(readMessage('is not valid, says a person')).toBeUndefined()
})
