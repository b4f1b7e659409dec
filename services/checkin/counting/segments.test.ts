import { planOf, type QueryPlan } from '@gatehouse/test/harness/query-plans.ts'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { BY_ARRIVAL } from '../check-ins/indexes.ts'
import { type CheckIn, CheckInStore } from '../check-ins/store.ts'
import { LateChanges } from './late-changes.ts'
import { BEGINNING, type Bounds, SegmentStore, segmentOf } from './segments.ts'

const CHECK_INS = 3_000
const START = Date.UTC(2026, 4, 1, 8)
const at = (second: number): Date => new Date(START + second * 1_000)

/** The queries that the store sends are recorded, and explained by the database. */
describe('counting reads by indexes', () => {
  const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  const db = client.db(`test-${crypto.randomUUID()}`)
  const segments = new SegmentStore(db, 100)
  const lateChanges = new LateChanges(db)
  let sent: Document[] = []

  beforeAll(async () => {
    await new CheckInStore(db).prepare()
    await segments.prepare()
    await lateChanges.prepare()
    const documents = ['event', 'other'].flatMap((event_id) =>
      Array.from({ length: CHECK_INS }, (_, n): CheckIn => {
        const _id = `${event_id} ${n}`
        // Every third check-in has the stamp of another day.
        const apart = n % 3 === 0 && { arrived_at: at(n), access_stamp: at(n - 86_400) }
        const stamps = { access_stamp: at(n), created_at: at(n), updated_at: at(n), ...apart }
        return { _id, event_id, accesspoint_id: 'door', guest_uid: `uid ${n}`, access_status: 0, slot: _id, ...stamps }
      }),
    )
    await db.collection<CheckIn>('access_controls').insertMany(documents)
    for (let n = 0; n < 200; n++) {
      const range = { rows: [], to: at(n + 1) }
      await segments.add('event', segmentOf(n === 0 ? BEGINNING : at(n), range, at(CHECK_INS)))
    }
    for (let n = 0; n < 20; n++) await lateChanges.record('event', at(n), at(n))
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') sent.push(command)
    })
  })
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  /** The plans of a run's queries: their index, whether they sort, how many documents they read. */
  async function explained(run: () => Promise<unknown>): Promise<QueryPlan[]> {
    sent = []
    await run()
    return Promise.all(sent.map((command) => planOf(db, command)))
  }

  test('a range is read by stamps, and by arrivals where they differ, in order and no further', async () => {
    const [onTime, apart] = await explained(() =>
      segments.readRange('event', { from: at(300), before: at(2_700), max: 100 }),
    )
    expect(onTime).toMatchObject({ indexes: ['event_id_1_access_stamp_-1__id_-1'], sorts: false })
    expect(onTime?.read).toBeLessThanOrEqual(200)
    expect(apart).toMatchObject({ indexes: [BY_ARRIVAL], sorts: false })
    expect(apart?.read).toBeLessThanOrEqual(200)
  })

  test('recent check-ins are read without older ones', async () => {
    const plans = await explained(() => segments.readRange('event', { from: at(CHECK_INS - 30) }))
    expect(plans.map(({ indexes }) => indexes)).toEqual([['event_id_1_access_stamp_-1__id_-1'], [BY_ARRIVAL]])
    for (const { read } of plans) expect(read).toBeLessThanOrEqual(30)
  })

  test.each<[string, Partial<Bounds>, number, [number, number]]>([
    // 2,000 by their stamps, 1,000 by their arrivals, in chunks of 250.
    ['all of an event', {}, CHECK_INS, [10, 14]],
    // 1,001 by their stamps, and those that arrived meanwhile by their arrival.
    ['the first 1,000', { max: 1_000 }, 1_501, [7, 9]],
  ])('%s is read in chunks, with a pause after each but the last', async (_, bounds, all, many) => {
    let pauses = 0
    const pause = async (): Promise<void> => void pauses++
    sent = []
    const { rows } = await segments.readRange('event', {
      from: BEGINNING,
      max: Number.POSITIVE_INFINITY,
      pause,
      ...bounds,
    })
    expect(sent.every(({ limit }) => limit <= 250)).toBe(true)
    expect(rows.length).toBe(all)
    expect(pauses).toBeGreaterThanOrEqual(many[0])
    expect(pauses).toBeLessThanOrEqual(many[1])
  })

  test('segments are read from a given one on, in order', async () => {
    const kept: Date[] = []
    const [plan] = await explained(async () => {
      for await (const { from } of segments.kept('event', at(150), false)) kept.push(from)
    })
    expect(plan).toEqual({ indexes: ['event_id_1_from_1'], sorts: false, read: 50 })
    expect(kept).toEqual(Array.from({ length: 50 }, (_, n) => at(150 + n)))
  })

  test('late changes are read as far as they last', async () => {
    const [plan] = await explained(() => lateChanges.lasting('event', new Date(Date.now() + 60_000)))
    expect(plan).toMatchObject({ indexes: ['event_id_1_until_1'], read: 0 })
  })
})
