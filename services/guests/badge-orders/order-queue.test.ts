import { describe, expect, test } from 'vitest'
import { complete } from '../guests/stored-guest.ts'
import { testGuest } from '../test-guest.ts'
import { changesBadge } from './order-queue.ts'

describe('a change of a guest makes its badge anew', () => {
  const guest = complete(testGuest({ _id: 'a'.repeat(24), company_name: 'Engines' }))
  const { position: _, ...older } = guest

  test('if it changes a field that badges are made of', () => {
    expect(changesBadge(guest, { company_name: 'Looms' })).toBe(true)
    expect(changesBadge(guest, { company_name: null })).toBe(true)
    expect(changesBadge(guest, { guest_category_id: 'other' })).toBe(true)
    expect(changesBadge(guest, { company_name: 'Engines', message: 'Hello', rsvp_status: 'accepted' })).toBe(false)
  })

  test('unless it sets null where an older document lacks the field', () => {
    expect(changesBadge(older as typeof guest, { position: null })).toBe(false)
    expect(changesBadge(older as typeof guest, { position: 'Poet' })).toBe(true)
  })
})
