import { type Plan, planOf } from '@gatehouse/test/explaining.ts'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CheckIn, CheckInStore } from './store.ts'

const UNIQUE = 'event_id_1_accesspoint_id_1_guest_uid_1_slot_1'
const TIMES = 300
const GUESTS = 20

describe('what is taken of guests at a point', () => {
  const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  const db = client.db(`test-${crypto.randomUUID()}`)
  const store = new CheckInStore(db)
  const uids = Array.from({ length: GUESTS }, (_, n) => `uid ${n}`)
  const sent: Document[] = []

  beforeAll(async () => {
    await store.prepare()
    const now = new Date()
    const stamps = { access_stamp: now, created_at: now, updated_at: now }
    const granted = uids.flatMap((guest_uid) =>
      Array.from({ length: TIMES }, (_, n): CheckIn => {
        const _id = `${guest_uid} ${n}`
        const slot = n === 0 ? 1 : _id
        return { _id, event_id: 'event', accesspoint_id: 'door', guest_uid, access_status: 0, slot, ...stamps }
      }),
    )
    for (let from = 0; from < granted.length; from += 500) await store.insert(granted.slice(from, from + 500))
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') sent.push(command)
    })
  })
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  async function explained(): Promise<Plan> {
    return planOf(db, sent.at(-1) as Document)
  }

  test('whether the first slot is taken costs one document a guest, however often they came', async () => {
    const taken = await store.taken('event', 'door', [...uids, 'nobody'], 1)
    expect([...taken.keys()].sort()).toEqual([...uids].sort())
    for (const { slots } of taken.values()) expect(slots).toEqual(new Set([1]))
    const { indexes, read } = await explained()
    expect(indexes).toEqual([UNIQUE])
    expect(read).toBeLessThanOrEqual(GUESTS)
  })

  test('all that is taken is read by the same index, and of nobody else', async () => {
    const taken = await store.taken('event', 'door', uids.slice(0, 2))
    expect([...taken.values()].map(({ count }) => count)).toEqual([TIMES, TIMES])
    const { indexes, read } = await explained()
    expect(indexes).toEqual([UNIQUE])
    expect(read).toBeLessThanOrEqual(2 * TIMES)
  })

  test('of nobody: nothing is asked', async () => {
    const before = sent.length
    expect(await store.taken('event', 'door', [])).toEqual(new Map())
    expect(sent.length).toBe(before)
  })
})
