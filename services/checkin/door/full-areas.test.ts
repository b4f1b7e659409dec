import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CheckIn } from '../check-ins/store.ts'
import type { Rights } from './decision.ts'
import type { DecisionResult } from './flush.ts'
import { FullAreas } from './full-areas.ts'

/** Longer than a test. */
const LONG_MS = 3_600_000
const HALL = { areaOf: new Map([['door', 'hall']]), capacities: new Map([['hall', 1_000]]) } as unknown as Rights

/** An entry of persons at the hall's door. */
function entry(persons = 1, fields: Partial<CheckIn> = {}): DecisionResult {
  const checkIn = { accesspoint_id: 'door', access_status: 0, persons, ...fields } as CheckIn
  return { checkIn, repeated: false }
}

const isMarked = (outcomes: DecisionResult[]) =>
  outcomes.map((outcome) => 'checkIn' in outcome && outcome.checkIn.area_full === true)

/** Two processes at the doors of a hall, which count what is stored. */
function twoProcesses(waitMs = LONG_MS) {
  const stored = { inside: 0, reads: 0, hold: undefined as Promise<void> | undefined, counted: () => {} }
  const totals = {
    async inside() {
      stored.reads++
      await stored.hold
      stored.counted()
      return new Map([['hall', { inside: stored.inside, peak: 0 }]])
    },
  }
  const processes = [new FullAreas(totals, waitMs), new FullAreas(totals, waitMs)] as const
  const enter = async (number: 0 | 1, ...outcomes: DecisionResult[]) => {
    for (const outcome of outcomes) if ('checkIn' in outcome) stored.inside += outcome.checkIn.persons ?? 1
    return isMarked(await processes[number].mark('event', HALL, outcomes))
  }
  return { stored, processes, enter }
}

describe('an entry that fills its area (docs/interface.md 8.31)', () => {
  // How long a count takes does not depend on the machine.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('is marked, whichever process the others came to', async () => {
    const { enter } = twoProcesses()
    expect(await enter(0, entry(920))).toEqual([false])
    expect(await enter(1, entry(78))).toEqual([false])
    expect(await enter(0, entry())).toEqual([false])
    expect(await enter(1, entry())).toEqual([true])
    expect(await enter(0, entry())).toEqual([true])
  })

  test('is marked after a pause of its process, in which others let in many', async () => {
    const { enter } = twoProcesses()
    expect(await enter(0, entry(10))).toEqual([false])
    expect(await enter(1, entry(989))).toEqual([false])
    vi.advanceTimersByTime(6_000)
    expect(await enter(0, entry())).toEqual([true])
  })

  test('is marked in a batch too; refusals, exits, repetitions and other points are not', async () => {
    const { stored, processes } = twoProcesses()
    stored.inside = 1_000
    const repeated = { ...entry(), repeated: true } as DecisionResult
    const outcomes = [
      entry(),
      entry(1, { access_status: 3 }),
      entry(1, { direction: 'out' }),
      repeated,
      entry(1, { accesspoint_id: 'elsewhere' }),
      { errors: {} },
      entry(),
    ]
    const marked = await processes[0].mark('event', HALL, outcomes)
    expect(isMarked(marked)).toEqual([true, false, false, false, false, false, true])
    expect(isMarked(outcomes), 'what is stored and published').toEqual(outcomes.map(() => false))
  })

  test('costs a read only near the capacity, and none without an entry', async () => {
    const { stored, enter, processes } = twoProcesses()
    await processes[0].mark('event', HALL, [entry(1, { direction: 'out' })])
    expect(stored.reads).toBe(0)
    for (let n = 0; n < 20; n++) await enter(0, entry(10))
    expect(stored.reads).toBe(1)
    await enter(0, entry(700))
    expect(stored.reads).toBe(2)
  })

  test('does not wait long for a count: the last one and its own entries say whether it is full', async () => {
    const { stored, enter } = twoProcesses(1)
    await enter(0, entry(900))
    stored.hold = new Promise(() => {})
    expect(await enter(0, entry(90))).toEqual([false])
    expect(await enter(0, entry(10))).toEqual([true])
  })

  test('counts each time near the capacity until that has taken a second, then for a twentieth of the time; meanwhile its own entries count', async () => {
    const { stored, enter } = twoProcesses()
    stored.counted = () => vi.advanceTimersByTime(40)
    for (const persons of [950, ...Array(24).fill(1)]) expect(await enter(0, entry(persons))).toEqual([false])
    expect(stored.reads).toBe(25)
    expect(await enter(0, entry(26))).toEqual([true])
    stored.inside = 900
    expect(await enter(0, entry(1, { direction: 'out' }), entry())).toEqual([false, true])
    expect(stored.reads).toBe(25)
    vi.advanceTimersByTime(1_000)
    expect(await enter(0, entry())).toEqual([false])
    expect(stored.reads).toBe(26)
  })

  test('says so in the answer, over two services; an exit makes room', async () => {
    vi.useRealTimers()
    const testEvent = await TestEvent.open(await sharedSystem())
    const { _id: area_id } = await testEvent.make('areas.json', { name: 'Hall', capacity: 4 })
    const { _id: door } = await testEvent.make('accesspoints.json', { name: 'Door', area_id })
    const { _id: exit } = await testEvent.make('accesspoints.json', { name: 'Exit', area_id, direction: 'out' })
    const category = await testEvent.category()
    await testEvent.link(category, door)
    for (let n = 0; n < 6; n++) await testEvent.guest(category, `guest ${n}`)
    const entered = await Promise.all([0, 1, 2, 3, 4].map((n) => testEvent.scan(door, `guest ${n}`)))
    expect(entered.map(({ access_status }) => access_status)).toEqual([0, 0, 0, 0, 0])
    expect(await testEvent.read('areas.json')).toMatchObject([{ inside_count: 5, capacity: 4 }])
    // A count may come too late for an answer.
    await expect.poll(() => testEvent.scan(door, 'guest 4')).toMatchObject({ access_status: 0, area_full: true })
    expect(await testEvent.scan(exit, 'guest 0')).not.toHaveProperty('area_full')
    expect(JSON.stringify(await testEvent.all('access_controls.json'))).not.toContain('area_full')
    expect((await testEvent.read('statistics.json')).by_area).toEqual([
      { area_id, inside_count: 4, capacity: 4, peak_count: 5 },
    ])
  })
})
