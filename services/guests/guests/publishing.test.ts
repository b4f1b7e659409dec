import { expect, test } from 'vitest'
import { testGuest } from '../test-guest.ts'
import { onceAs } from './publishing.ts'

const guest = testGuest({ _id: 'ada', created_at: new Date(0), updated_at: new Date(0) })
const idOf = (
  type: 'badge.completed' | 'guest.updated' | 'guest.created' | 'guest.deleted',
  more: object = {},
  planned: { badge_order?: number; created_at?: Date } = {},
) => onceAs(type, { ...guest, ...more }, { _id: 'ada', ...planned })

test('a badge is completed once for each order of a guest, and anew if the guest is created again', () => {
  const completed = (badge_order: number, more: object = {}) => idOf('badge.completed', more, { badge_order })
  expect(completed(1)).toBe(completed(1, { updated_at: new Date(1), last_name: 'King' }))
  const ids = [completed(1), completed(2), completed(1, { _id: 'bob' }), completed(1, { created_at: new Date(1) })]
  expect(new Set(ids).size).toBe(4)
})

test('a guest is changed once at each `updated_at`, and anew if it is created again', () => {
  const changed = (more: object = {}) => idOf('guest.updated', more)
  expect(changed()).toBe(changed({ last_name: 'King' }))
  const others = [{ updated_at: new Date(1) }, { _id: 'bob' }, { created_at: new Date(1) }]
  expect(new Set([changed(), ...others.map(changed)]).size).toBe(4)
})

test('a guest whom several requests may create is created once, and once more if it is created again', () => {
  const created = (more: object = {}) => idOf('guest.created', more, { created_at: new Date(2) })
  expect(created()).toBe(created({ updated_at: new Date(1) }))
  expect(new Set([created(), created({ _id: 'bob' }), created({ created_at: new Date(1) })]).size).toBe(3)
  expect(idOf('guest.created')).toBeUndefined()
})

test('a guest is deleted once, and once more if it is created again', () => {
  const deleted = (more: object = {}) => idOf('guest.deleted', more)
  expect(deleted()).toBe(deleted({ updated_at: new Date(1) }))
  expect(new Set([deleted(), deleted({ _id: 'bob' }), deleted({ created_at: new Date(1) })]).size).toBe(3)
})
