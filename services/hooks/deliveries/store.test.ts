// @module-tag slow
import { planOf } from '@gatehouse/test/harness/query-plans.ts'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { DeliveryStore, type NewDelivery } from './store.ts'

describe('the deliveries collection', () => {
  const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  const db = client.db(`test-${crypto.randomUUID()}`)
  const store = new DeliveryStore(db, 30)
  const sent: Document[] = []

  const delivery = (webhook: number, nth: number): NewDelivery => ({
    _id: `${webhook}-${nth}`,
    account_id: 'account',
    webhook_id: `webhook-${webhook}`,
    event_id: 'event',
    event_type: 'guest.created',
    payload: '{}',
    created_at: new Date(Date.now() - 1_000 * nth),
  })

  const insert = async (...given: Parameters<DeliveryStore['insert']>) =>
    (await Array.fromAsync(store.insert(...given))).flat()

  beforeAll(async () => {
    await store.prepare()
    for (let webhook = 0; webhook < 10; webhook++) {
      await insert(Array.from({ length: 100 }, (_, nth) => delivery(webhook, nth)))
    }
    client.on('commandStarted', ({ command }) => sent.push(command))
  })
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  test('the list reads only its page, in the order of its index', async () => {
    sent.length = 0
    await store.list('account', 'webhook-3', { page: 1, per_page: 20 })
    const command = sent.find(({ find }) => find) as Document
    const indexes = ['account_id_1_webhook_id_1_created_at_-1__id_-1']
    expect(await planOf(db, command)).toEqual({ indexes, read: 20, sorts: false })
  })

  test('concurrent claims get different deliveries, the longest due first, until none is due', async () => {
    const claims = await Promise.all(
      Array.from({ length: 130 }, (_, nth) => store.claim('webhook-5', `${nth}`, 1 + (nth % 3), 60_000)),
    )
    const claimed = claims.flat().map(({ _id }) => _id)
    expect(new Set(claimed).size).toBe(claimed.length)
    // A claim that conflicts with others may give nothing although deliveries are left.
    for (let next = await store.claim('webhook-5', 'late', 7, 60_000); next.length > 0; ) {
      claimed.push(...next.map(({ _id }) => _id))
      next = await store.claim('webhook-5', 'late', 7, 60_000)
    }
    expect(new Set(claimed).size).toBe(100)
    expect(claimed.length).toBe(100)
    expect((await store.claim('webhook-6', 'first', 3, 60_000)).map(({ _id }) => _id)).toEqual(['6-99', '6-98', '6-97'])
  })

  test('deliveries that are stored under a claim are due for others when it expires; the insert gives the new ones', async () => {
    const id = 'webhook-11'
    const stored = await insert([delivery(11, 1), delivery(11, 2)], () => ({ id: 'mine', until: new Date(0) }))
    expect(stored.map(({ _id, claim, attempt_count }) => [_id, claim, attempt_count])).toEqual([
      ['11-1', 'mine', 0],
      ['11-2', 'mine', 0],
    ])
    const later = { id: 'mine', until: new Date(Date.now() + 60_000) }
    expect((await insert([delivery(11, 2), delivery(11, 3)], () => later)).map(({ _id }) => _id)).toEqual(['11-3'])
    expect((await store.claim(id, 'next', 10, 60_000)).map(({ _id }) => _id).toSorted()).toEqual(['11-1', '11-2'])
    await store.finish(['11-3'], 'mine', { delivered: true, response_status: 200, error: null })
    const list = await store.list('account', id, { page: 1, per_page: 10 })
    expect(list.find(({ _id }) => _id === '11-3')).toMatchObject({ state: 'delivered', attempt_count: 1 })
  })

  test('only the holder of a claim can store an outcome', async () => {
    const [claimed] = await store.claim('webhook-7', 'mine', 1, 60_000)
    const id = claimed?._id as string
    const done = { delivered: true, response_status: 200, error: null }
    await store.finish([id], 'another', done)
    const find = async () =>
      (await store.list('account', 'webhook-7', { page: 1, per_page: 500 })).find(({ _id }) => _id === id)
    expect((await find())?.state).toBe('pending')
    await store.finish([id], 'mine', done)
    expect((await find())?.state).toBe('delivered')
  })

  test('a delivery is due again when its claim expires', async () => {
    const [first] = await store.claim('webhook-8', 'dead', 1, 0)
    const again = await store.claim('webhook-8', 'next', 100, 60_000)
    expect(again.map(({ _id }) => _id)).toContain(first?._id)
  })

  test('released deliveries are due again with all attempts, and so are those of a dead process', async () => {
    const claimed = await store.claim('webhook-4', 'mine', 5, 60_000)
    const ids = claimed.map(({ _id }) => _id)
    await store.release(ids, 'another')
    expect((await store.claim('webhook-4', 'next', 5, 60_000)).some(({ _id }) => ids.includes(_id))).toBe(false)
    await store.release(ids, 'mine')
    expect(await store.dueWebhooks()).toContain('webhook-4')
    const again = await store.claim('webhook-4', 'next', 100, 60_000)
    expect(again.filter(({ _id }) => ids.includes(_id)).map(({ attempt_count }) => attempt_count)).toEqual([
      0, 0, 0, 0, 0,
    ])
    await store.finish(ids, 'next', { delivered: false, retry_at: new Date(0), response_status: 500, error: null })
    for (const claim of ['dead', 'last']) {
      const [first] = await store.claim('webhook-4', claim, 1, 0)
      expect(first?.attempt_count).toBe(1)
    }
  })

  test('many or large deliveries are made in batches, each of which is stored before the next is made', async () => {
    const made: number[] = []
    function* large(): Generator<NewDelivery> {
      for (let nth = 0; nth < 20; nth++) {
        made.push(nth)
        yield { ...delivery(12, nth), payload: 'x'.repeat(300 * 1024) }
      }
    }
    const sizes: number[] = []
    for await (const piece of store.insert(large())) {
      sizes.push(piece.length)
      expect(made.length).toBe(sizes.reduce((sum, size) => sum + size, 0))
      expect(await db.collection('deliveries').countDocuments({ webhook_id: 'webhook-12' })).toBe(made.length)
    }
    expect(sizes).toEqual([4, 4, 4, 4, 4])
  })

  test('existing deliveries stay as they are', async () => {
    const [claimed] = await store.claim('webhook-9', 'mine', 1, 60_000)
    const id = claimed?._id as string
    await store.finish([id], 'mine', { delivered: true, response_status: 200, error: null })
    await insert([delivery(9, Number(id.split('-')[1])), delivery(9, 1_000)])
    const list = await store.list('account', 'webhook-9', { page: 1, per_page: 500 })
    expect(list.find(({ _id }) => _id === id)?.state).toBe('delivered')
    expect(list.length).toBe(101)
  })
})
