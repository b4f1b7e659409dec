import { expect, test } from 'vitest'
import { access, allowance, type DoorName, doors, HALF_HOUR, makePlan } from './plan.ts'

test('the same seed makes the same plan, another seed another', () => {
  expect(makePlan(7, 200)).toEqual(makePlan(7, 200))
  expect(makePlan(8, 200).scans).not.toEqual(makePlan(7, 200).scans)
})

test('every guest has a uid of its own, and every category has guests', () => {
  const { guests } = makePlan(1, 5_000)
  expect(new Set(guests.map(({ uid }) => uid)).size).toBe(5_000)
  expect(new Set(guests.map(({ category }) => category))).toEqual(new Set(Object.keys(access)))
})

test('links have the limits 1, 3 and -1, at three doors', () => {
  const limits = Object.values(access).flatMap((each) => Object.values(each))
  expect(new Set(limits)).toEqual(new Set([1, 3, -1]))
  expect(doors).toHaveLength(3)
})

test('the scans are in order within the half hour, with most of them in its middle', () => {
  const { scans } = makePlan(1, 5_000)
  for (const [index, { at }] of scans.entries()) {
    expect(at).toBeGreaterThanOrEqual(scans[index - 1]?.at ?? 0)
    expect(at).toBeLessThanOrEqual(HALF_HOUR)
  }
  const first = scans.filter(({ at, door }) => door === 'Main entrance' && at < HALF_HOUR / 3).length
  const middle = scans.filter(
    ({ at, door }) => door === 'Main entrance' && at >= HALF_HOUR / 3 && at < (HALF_HOUR * 2) / 3,
  ).length
  expect(middle).toBeGreaterThan(2 * first)
  expect(first).toBeGreaterThan(100)
})

test('there are double scans, wrong doors and unknown codes', () => {
  const { guests, scans } = makePlan(1, 5_000)
  const categoryOf = new Map(guests.map(({ uid, category }) => [uid, category]))
  const unknown = scans.filter(({ uid }) => !categoryOf.has(uid))
  const wrong = scans.filter(({ uid, door }) => {
    const category = categoryOf.get(uid)
    return category && allowance(category, door) === undefined
  })
  const places = Map.groupBy(scans, ({ uid, door }: { uid: string; door: DoorName }) => `${uid} ${door}`)
  const twice = [...places.values()].filter((each) => each.length > 1)
  expect(unknown.length).toBeGreaterThan(100)
  expect(wrong.length).toBeGreaterThan(50)
  expect(twice.length).toBeGreaterThan(200)
})
