import { describe, expect, test } from 'vitest'
import { compareCompletions, compareFiles, completionsOf, type ExpectedBadge } from './badges.ts'
import { DrillRecord } from './record.ts'
import { violationsOf } from './report.ts'

const badge = (shown: string, badges = [{ url: 'file' }], badge_url: string | null = 'link'): ExpectedBadge => ({
  guest: { _id: 'ada', uid: 'ada', email: null, first_name: 'Ada', last_name: 'King', badge_url, badges },
  expected: 'Press Ada King',
  shown,
})
const ADA = badge('Press Ada King')

/** A delivery of a completed badge. */
const completed = (id: string, last_name: string, _id = 'ada', type = 'badge.completed') => ({
  path: '/',
  body: '',
  headers: { 'webhook-id': id },
  json: { type, data: { _id, last_name } },
})

describe('the file of a badge', () => {
  const broken = (each: ExpectedBadge): string => {
    const record = new DrillRecord(1)
    compareFiles(record, [each])
    return violationsOf(record, 'badged').join('\n')
  }

  test('shows the guest as it is', () => {
    expect(broken(ADA)).toBe('')
  })

  test.each([
    ['an ordered badge is not made', badge('no badge', [], null)],
    ['a guest has not one badge', badge('Press Ada King', [])],
    ['a guest has not one badge', badge('Press Ada King', [{ url: 'file' }, { url: 'another' }])],
    ['a badge does not show the guest as it is', badge('Press Ada Lovelace')],
    ['a badge does not show the guest as it is', badge('the file is answered 404')],
  ])('is wrong: %s', (kind, each) => {
    expect(broken(each)).toContain(kind)
  })
})

describe('a completed badge', () => {
  const broken = (deliveries: ReturnType<typeof completed>[], unsure: string[] = []): string => {
    const record = new DrillRecord(1)
    compareCompletions(record, [ADA], completionsOf(deliveries), new Set(unsure))
    return violationsOf(record, 'badged').join('\n')
  }

  test('reaches the webhook once; a delivery may come twice, and earlier names have completions of their own', () => {
    expect(broken([completed('1', 'New'), completed('2', 'King'), completed('2', 'King')])).toBe('')
  })

  test('is missing where the webhook has heard of no badge, or only of one with an earlier name', () => {
    expect(broken([])).toContain('a badge did not reach the webhook')
    expect(broken([completed('1', 'New')])).toContain('a badge did not reach the webhook')
    expect(broken([completed('1', 'King', 'ada', 'guest.updated')])).toContain('a badge did not reach the webhook')
  })

  test('is wrong where it comes under two ids, unless a change of the name was repeated', () => {
    const twice = [completed('1', 'King'), completed('2', 'King')]
    expect(broken(twice)).toContain('a badge was completed twice')
    expect(broken(twice, ['ada'])).toBe('')
  })

  test('is wrong for a guest who has none', () => {
    expect(broken([completed('1', 'King'), completed('2', 'Eve', 'eve')])).toContain('for a guest who has none')
  })
})
