import { expect, test } from 'vitest'
import { papersAt, sizesOf } from '../src/devices/papers.ts'

const card = { _id: 'card', name: 'Card', width_mm: 86, height_mm: 54 }
const printing = {
  categories: [
    { _id: 'vip', name: 'VIP', badge_enabled: true, badge_template_id: 'card' },
    { _id: 'press', name: 'Press', badge_enabled: true, badge_template_id: 'card' },
    { _id: 'crew', name: 'Crew', badge_enabled: true, badge_template_id: null },
    { _id: 'day', name: 'Day', badge_enabled: false, badge_template_id: 'card' },
  ],
  templates: [card],
  links: [
    { guest_category_id: 'vip', accesspoint_id: 'north' },
    { guest_category_id: 'press', accesspoint_id: 'north' },
    { guest_category_id: 'crew', accesspoint_id: 'back' },
    { guest_category_id: 'day', accesspoint_id: 'back' },
  ],
}

test('a station prints the badges of the categories that may enter at its check-in points, by template', () => {
  expect(papersAt(['north'], printing)).toEqual([
    {
      template: card,
      size: '86\u00a0×\u00a054\u00a0mm',
      categories: ['VIP', 'Press'],
      category_ids: ['vip', 'press'],
      withoutBadges: [],
    },
  ])
  expect(papersAt(['nowhere'], printing)).toEqual([])
})

test('categories without a template, and those without badges, get the usual badge of A6, and are named', () => {
  expect(papersAt(['back'], printing)).toEqual([
    {
      template: undefined,
      size: '105\u00a0×\u00a0148\u00a0mm',
      categories: ['Crew', 'Day'],
      category_ids: ['crew', 'day'],
      withoutBadges: ['Day'],
    },
  ])
})

test('a station without check-in points prints the badges of all; its sizes of paper are named once each', () => {
  const all = papersAt([], printing)
  expect(sizesOf(all)).toEqual(['86\u00a0×\u00a054\u00a0mm', '105\u00a0×\u00a0148\u00a0mm'])
  expect(sizesOf([...all, ...all])).toHaveLength(2)
})
