import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import { PlaceStore } from './places.ts'

const WANTED = { only: { answer: null }, change: [{ $set: { answer: 'accepted' } }] }

describe('the places of a registration page', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  const db = client.db(`test-${crypto.randomUUID()}`)
  const stores = [new PlaceStore(db), new PlaceStore(db)] as const
  const registrations = db.collection<StoredInvitation>('invitations')

  beforeAll(() => stores[0].prepare())
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  /** A page, and what tests do there. */
  function open() {
    const page = { event_id: 'event', guest_category_id: crypto.randomUUID() }
    const register = async (persons: number, limit: number | null, store = stores[0]) => {
      const _id = crypto.randomUUID()
      await registrations.insertOne({ _id, ...page, answer: null } as StoredInvitation)
      const taken = await store.take({ _id, ...page }, { ...WANTED, persons, limit })
      return typeof taken === 'string' ? taken : taken._id
    }
    const giveBack = (_id: string) => registrations.updateOne({ _id }, { $unset: { places: 1 } })
    return { page, register, giveBack }
  }

  test('are never more than the limit, whoever registers and gives up at the same time in two processes', async () => {
    const { page, register, giveBack } = open()
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const outcome = await register(1 + (number % 3), 20, stores[number % 2])
        if (outcome !== 'full' && number % 5 === 0) await giveBack(outcome)
        expect(await stores[0].count(page)).toBeLessThanOrEqual(20)
        return outcome
      }),
    )
    expect(outcomes).toContain('full')
    while ((await register(1, 20)) !== 'full');
    expect(await stores[0].count(page)).toBe(20)
  })

  test('are for all persons of a party, or for none', async () => {
    const { page, register } = open()
    expect(await register(3, 5)).not.toBe('full')
    expect(await register(3, 5)).toBe('full')
    expect(await register(2, 5)).not.toBe('full')
    expect(await stores[0].count(page)).toBe(5)
  })

  test('count under a limit that is set, lowered or raised later', async () => {
    const { page, register, giveBack } = open()
    const ids = []
    for (let number = 0; number < 10; number++) ids.push(await register(1, null))
    expect(await register(1, 10)).toBe('full')
    for (const id of ids.slice(0, 6)) await giveBack(id)
    expect(await register(1, 4)).toBe('full')
    expect([await register(1, 5), await register(1, 5)]).toEqual([expect.any(String), 'full'])
    expect(await register(7, 12)).not.toBe('full')
    expect(await stores[0].count(page)).toBe(12)
  })

  test('are given once to a registration, and only to one that is as it has to be', async () => {
    const { page, register } = open()
    const _id = await register(1, 5)
    expect(await stores[1].take({ _id, ...page }, { ...WANTED, persons: 1, limit: 5 })).toBe('stale')
    expect(await stores[0].count(page)).toBe(1)
  })
})
