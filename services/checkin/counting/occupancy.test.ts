import { describe, expect, test } from 'vitest'
import { Admissions } from './admissions.ts'

const AREAS = new Map([
  ['hall in', 'hall'],
  ['hall out', 'hall'],
  ['bar', 'bar'],
])
const HALL = 'hall'

/** Admissions, and short methods to let guests in and out. */
function venue() {
  const admissions = new Admissions()
  const pass = (isExit: boolean) => (uid: string, at: number, accesspoint_id: string, persons: number) =>
    admissions.add(uid, { accesspoint_id, at, persons, isExit })
  const party = (uid: string, size: number | undefined) =>
    admissions.setGuest(admissions.numberOf(uid) ?? 0, size === undefined ? undefined : 'visitors', size)
  const inside = (area: string | null, areas: ReadonlyMap<string, string> = AREAS) =>
    admissions.occupancy.read(areas).get(area) ?? { inside: 0, peak: 0 }
  return {
    admissions,
    enter: (uid: string, moment: number, { at = 'hall in', persons = 1 } = {}) => pass(false)(uid, moment, at, persons),
    leave: (uid: string, moment: number, { at = 'hall out', persons = 1 } = {}) => pass(true)(uid, moment, at, persons),
    party,
    inside,
  }
}

describe('inside an area (docs/interface.md 8.28)', () => {
  test('are the persons let in at its points who have not gone out since', () => {
    const { enter, leave, party, inside } = venue()
    enter('ada', 1, { persons: 4 })
    party('ada', 4)
    leave('ada', 2, { persons: 3 })
    enter('bob', 3, { at: 'bar' })
    party('bob', 1)
    expect([inside(HALL), inside('bar')]).toEqual([
      { inside: 1, peak: 4 },
      { inside: 1, peak: 1 },
    ])
  })

  test('are as many whatever the order in which the scans arrive', () => {
    const { enter, leave, inside } = venue()
    leave('ada', 20)
    expect(inside(HALL).inside).toBe(0)
    enter('ada', 30)
    expect(inside(HALL).inside).toBe(1)
    enter('ada', 10)
    expect(inside(HALL)).toEqual({ inside: 1, peak: 1 })
    leave('ada', 40)
    expect(inside(HALL).inside).toBe(0)
  })

  test('are not fewer after somebody goes out who is not inside', () => {
    const { enter, leave, inside } = venue()
    leave('ada', 1)
    leave('ada', 2)
    enter('ada', 3)
    expect(inside(HALL).inside).toBe(1)
  })

  test('are at most as many of a guest as its party has; all of a guest who is gone', () => {
    const { enter, leave, party, inside } = venue()
    for (const moment of [1, 2, 3]) enter('ada', moment)
    party('ada', 2)
    expect(inside(HALL).inside).toBe(2)
    leave('ada', 4)
    expect(inside(HALL).inside).toBe(1)
    party('ada', undefined)
    expect(inside(HALL).inside).toBe(2)
  })

  test('follow deletions and areas that check-in points go into', () => {
    const { admissions, enter, leave, inside } = venue()
    enter('ada', 1)
    const exit = leave('ada', 2)
    enter('bob', 3, { at: 'bar' })
    admissions.remove(exit)
    expect(inside(HALL)).toEqual({ inside: 1, peak: 1 })
    const one = new Map([...AREAS, ['bar', HALL]])
    expect([inside(HALL, one), inside('bar', one).inside]).toEqual([{ inside: 2, peak: 2 }, 0])
    expect([inside(HALL, new Map()).inside, inside(null, new Map()).inside]).toEqual([0, 2])
  })

  test('who comes in and goes out in one moment has gone out, and several in one moment are no peak in between', () => {
    const { enter, leave, inside } = venue()
    leave('ada', 5)
    enter('ada', 5)
    enter('bob', 1)
    leave('bob', 5)
    enter('eve', 5)
    expect(inside(HALL)).toEqual({ inside: 1, peak: 1 })
  })

  test('the peak is the most that were inside at a time, also within a minute and over days', () => {
    const { enter, leave, inside } = venue()
    for (const uid of ['a', 'b', 'c']) enter(uid, 1_000)
    for (const uid of ['a', 'b', 'c']) leave(uid, 2_000)
    enter('d', 3_000)
    expect(inside(HALL)).toEqual({ inside: 1, peak: 3 })
    for (const uid of ['a', 'b', 'c']) enter(uid, 86_400_000)
    expect(inside(HALL)).toEqual({ inside: 4, peak: 4 })
    leave('d', 4_000)
    expect(inside(HALL)).toEqual({ inside: 3, peak: 3 })
  })

  test('exits count at their own point alone: not as guests who came', () => {
    const { admissions, enter, leave, party } = venue()
    enter('ada', 1)
    leave('ada', 2)
    leave('bob', 3)
    party('ada', 1)
    expect([admissions.guests, admissions.persons, admissions.at('hall out')]).toEqual([
      1,
      1,
      { guests: 2, persons: 2 },
    ])
    expect(admissions.byCategory()).toEqual([{ guest_category_id: 'visitors', guests: 1, persons: 1 }])
    expect(admissions.movesOf('ada')).toEqual([
      { accesspoint_id: 'hall in', at: 1, persons: 1, isExit: false },
      { accesspoint_id: 'hall out', at: 2, persons: 1, isExit: true },
    ])
  })
})
