import { expect, test } from 'vitest'
import { badgeCounts, bySize } from '../src/badges/badge-counts.ts'

const counted = {
  categories: [
    { _id: 'vip', badge_enabled: true, badge_template_id: 'card' },
    { _id: 'press', badge_enabled: true, badge_template_id: 'card' },
    { _id: 'crew', badge_enabled: true, badge_template_id: null },
    { _id: 'day', badge_enabled: false, badge_template_id: 'card' },
  ],
  templates: [{ _id: 'card', width_mm: 86, height_mm: 54 }],
  counts: [
    { guest_category_id: 'vip', guest_count: 10, checked_in_guest_count: 4 },
    { guest_category_id: 'press', guest_count: 5, checked_in_guest_count: 5 },
    { guest_category_id: 'crew', guest_count: 20, checked_in_guest_count: 0 },
    { guest_category_id: 'day', guest_count: 7, checked_in_guest_count: 7 },
  ],
}

test('badges are counted by template, those of categories that have badges; without a template they are of A6', () => {
  expect(badgeCounts(counted)).toEqual([
    { template_id: 'card', size: '86\u00a0×\u00a054\u00a0mm', count: 15 },
    { template_id: undefined, size: '105\u00a0×\u00a0148\u00a0mm', count: 20 },
  ])
})

test('the filters of the list of guests choose badges too', () => {
  const counts = (query: Record<string, string>) => badgeCounts(counted, query).map(({ count }) => count)
  expect(counts({ checked_in: 'true' })).toEqual([9, 0])
  expect(counts({ checked_in: 'false' })).toEqual([6, 20])
  expect(counts({ category: 'vip', checked_in: 'false' })).toEqual([6])
  expect(counts({ category: 'day' })).toEqual([])
})

test('the sizes of paper come with their numbers, the most first, and those of no badge are left out', () => {
  expect(bySize(badgeCounts(counted))).toEqual([
    ['105\u00a0×\u00a0148\u00a0mm', 20],
    ['86\u00a0×\u00a054\u00a0mm', 15],
  ])
  expect(bySize(badgeCounts(counted, { checked_in: 'true' }))).toEqual([['86\u00a0×\u00a054\u00a0mm', 9]])
})
