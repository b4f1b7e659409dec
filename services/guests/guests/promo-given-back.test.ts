// @module-tag slow
import { setTimeout as pause } from 'node:timers/promises'
import { promoCodes } from '@gatehouse/promo/resources'
import { subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, rounds } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { onChange } from './changes.ts'

const NO_CATEGORY = { guest_category_id: ['is not a guest category of the event'] }

/** A guest is stored with its use of a code before it is known whether its category is still there. */
describe('the use of a discount code is given back when the category goes while the guest is being registered', () => {
  let system: System
  let promo: Running
  let promoStore: TcpProxy
  let testEvent: TestEvent

  beforeAll(async () => {
    system = await startSystem()
    promoStore = await proxyTo(inject('mongodbUrl'))
    promo = await startReplica('promo', system, { mongodb_url: promoStore.url })
  })
  afterAll(async () => {
    await promo?.stop()
    await system?.stop()
    await promoStore?.close()
  })
  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
  })

  const code = async (text: string, max_usage: number): Promise<string> =>
    (await testEvent.make('promo_codes.json', { text, amount: 5, max_usage }))._id
  const timesUsed = async (id: string): Promise<number> => (await testEvent.read(`promo_codes/${id}.json`)).times_used
  const register = (guest_category_id: string, promo_code: string, uid?: string): Promise<Answer> =>
    testEvent.api('POST', 'guests.json', { guest_category_id, last_name: 'L', promo_code, uid })

  test('guests who were stored already are deleted, and each use can be taken again', async () => {
    const category = await testEvent.category()
    const id = await code('SPEAKER', 7)
    const stored = new Set<string>()
    onChange(system.bus, ({ event_id, uids }) => {
      if (event_id === testEvent.id) for (const uid of uids) stored.add(uid)
    })
    let asked = 0
    const admissions = `${system.namespace}.${subjectOf(promoCodes, 'admit')}`
    const overhearing = system.bus.connection.subscribe(admissions, { callback: () => void asked++ })
    await system.bus.flush()
    promoStore.freeze()
    const answers = Array.from({ length: 7 }, (_, index) => register(category, 'SPEAKER', `guest-${index}`))
    // They look for the category, and wait for promo to admit the code.
    await expect.poll(() => asked).toBeGreaterThanOrEqual(7)
    overhearing.unsubscribe()
    await testEvent.remove(`guest_categories/${category}.json`)
    promoStore.thaw()
    for (const { status, body } of await Promise.all(answers)) {
      expect([status, body.errors]).toEqual([422, NO_CATEGORY])
    }
    expect(stored.size).toBeGreaterThan(0)
    expect([await timesUsed(id), await testEvent.read('guests.json')]).toEqual([0, []])
    const other = await testEvent.category('Speakers')
    const later = await Promise.all(Array.from({ length: 8 }, () => register(other, 'SPEAKER')))
    expect(later.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 201, 201, 422])
    expect(await timesUsed(id)).toBe(7)
  })

  test('whenever the category is deleted: uses, guests and answers agree', deep, async () => {
    let gone = 0
    for (let round = 0; round < rounds(8, 25); round++) {
      const category = await testEvent.category(`Category ${round}`)
      const text = `ROUND-${round}`
      const id = await code(text, 20)
      const before = Array.from({ length: 3 }, () => register(category, text))
      await pause(round % 5)
      const deletion = testEvent.api('DELETE', `guest_categories/${category}.json`)
      const after = Array.from({ length: 5 }, () => register(category, text))
      const answers = await Promise.all([...before, ...after])
      const created = answers.filter(({ status }) => status === 201).length
      for (const { status, body } of answers)
        if (status !== 201) expect([status, body.errors]).toEqual([422, NO_CATEGORY])
      const guests = await testEvent.read(`guests.json?category[]=${category}`)
      expect([await timesUsed(id), guests.length]).toEqual([created, created])
      const { status } = await deletion
      if (status === 204) expect(created).toBe(0)
      if (status === 204) gone++
    }
    expect(gone).toBeGreaterThan(0)
  })
})
