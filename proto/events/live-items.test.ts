import { expect, test } from 'vitest'
import { type LiveItem, readLive, writeLive } from './live-items.ts'

const itemOf = (data: string): LiveItem => ({ type: 'guest.created', payload: JSON.stringify({ data }) })

test('items are read as they were written, whatever is in them', () => {
  const items = ['', 'a b', 'line\nline', '\u2028', 'é'.repeat(100)].map(itemOf)
  expect(writeLive(items).flatMap(readLive)).toEqual(items)
})

test('nothing is no message', () => {
  expect(writeLive([])).toEqual([])
})

test('many items go into several messages, none of which is larger than NATS takes', () => {
  const items = Array.from({ length: 100 }, (_, index) => itemOf(`${index} ${'é'.repeat(20_000)}`))
  const messages = writeLive(items)
  expect(messages.flatMap(readLive)).toEqual(items)
  expect(messages.length).toBeGreaterThan(10)
  for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(1024 * 1024)
})
