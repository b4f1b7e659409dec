// @module-tag slow
import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { type Document, MongoClient } from 'mongodb'
import { expect, inject, onTestFinished, test } from 'vitest'

const LIMIT = 25

// Takes a minute: each kill costs the start of a process.
test(
  'a partners process killed at any answer of its store: never more persons than the limit, no place is lost, and each registration has its guest',
  deep,
  async () => {
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const system = await startSystem({ with: ['promo'] })
    const settings = { deadline_ms: 2_000, registrations_per_address: 100_000 }
    const killable = await startKillable('partners', system, settings)
    onTestFinished(() => killable.stop())
    const event = await TestEvent.open(system)
    const { _id: category } = await event.make('guest_categories.json', {
      name: 'Visitors',
      registration_enabled: true,
      registration_confirms_email: false,
      registration_limit: LIMIT,
    })
    const register = (email: string) =>
      fetch(`${system.url}/register/${event.id}/${category}`, { method: 'POST', body: new URLSearchParams({ email }) })
    let kills = 0
    for (let round = 0; round < 40; round++) {
      const serving = killable.serving()
      const cancel = await killable.killAtAnswer(1 + (round % 11))
      const isKilled = expect.poll(() => killable.serving() !== serving).toBe(true)
      const trying = Promise.all([register(`one-${round}@example.org`), register(`two-${round}@example.org`)])
      await Promise.race([trying, isKilled]).catch(() => {})
      if (cancel()) kills++
      await killable.serving()
    }
    expect(kills).toBeGreaterThan(10)
    let tries = 0
    await expect.poll(async () => (await register(`last-${tries++}@example.org`)).status).toBe(409)
    const registrations = mongo.db(`${system.namespace}_partners`).collection<Document>('invitations')
    await expect.poll(() => registrations.countDocuments({ answer_due: { $exists: true } })).toBe(0)
    const held = await registrations.find({ places: { $exists: true } }).toArray()
    expect(held.flatMap(({ places }) => places).sort((one, other) => one - other)).toEqual(
      Array.from({ length: LIMIT }, (_, index) => index + 1),
    )
    const guests = (await event.all('guests.json')).map(({ email }) => email)
    expect(guests.sort()).toEqual(held.map(({ email }) => email).sort())
    await Promise.all([system.stop(), mongo.close()])
  },
)
