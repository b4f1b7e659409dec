import { expect, test } from 'vitest'
import { testGuest } from '../test-guest.ts'
import { onceAs } from './publishing.ts'

test('a badge is completed once for each order of a guest, and anew if the guest is created again; other things happen again', () => {
  const guest = testGuest({ _id: 'ada', created_at: new Date(0) })
  const idOf = (
    badge_order: number,
    more: object = {},
    type: 'badge.completed' | 'guest.updated' = 'badge.completed',
  ) => onceAs(type, { ...guest, ...more }, { _id: 'ada', badge_order })
  expect(idOf(1)).toBe(idOf(1, { updated_at: new Date(1), last_name: 'King' }))
  const ids = [idOf(1), idOf(2), idOf(1, { _id: 'bob' }), idOf(1, { created_at: new Date(1) })]
  expect(new Set(ids).size).toBe(4)
  expect(idOf(1, {}, 'guest.updated')).toBeUndefined()
})
