import { randomUUID } from 'node:crypto'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import type { Meta, Reply } from '../bus/messages.ts'
import { notFound, unavailable } from '../declaring/faults.ts'
import { openStore } from '../storage/mongo.ts'
import { IdempotencyStore } from './idempotency.ts'

const SUBJECT = 'test.things.create'

let runs: number

const store = await openStore(inject('mongodbUrl'), `test-${randomUUID().slice(0, 8)}`, 'idempotency')
const idempotency = new IdempotencyStore(store.db)
await idempotency.prepare()

beforeEach(() => {
  runs = 0
})

afterAll(async () => {
  await store.db.dropDatabase()
  await store.close()
})

function metaOf(idempotency_key: string, more: Partial<Meta> = {}): Meta {
  return { idempotency_key, caller: { account_id: 'a', token_id: 't', scope: 'admin' }, ...more }
}

const run = async (): Promise<Reply> => {
  runs++
  return { body: Buffer.from(`answer ${runs}`) }
}

const once = (meta: Meta, body = 'body', work = run, subject = SUBJECT): Promise<Reply> =>
  idempotency.once(subject, meta.caller?.token_id ?? '', meta, Buffer.from(body), work)

test('the same key and body get the first answer again, with its status, and nothing runs twice', async () => {
  const meta = metaOf('same')
  const work = async (): Promise<Reply> => ({ ...(await run()), status: 422 })
  const first = await once(meta, 'body', work)
  expect(first).toEqual({ body: Buffer.from('answer 1'), status: 422 })
  for (let retry = 0; retry < 3; retry++) {
    const again = await once(meta, 'body', work)
    expect(Buffer.from(again.body).toString()).toBe('answer 1')
    expect(again).toMatchObject({ status: 422, replayed: true })
  }
  expect(runs).toBe(1)
})

test('the same key for anything else is refused', async () => {
  const meta = metaOf('other', { params: { event_id: 'e' } })
  await once(meta)
  const reused = { code: 'invalid', errors: { idempotency_key: ['was already used for another request'] } }
  await expect(once(meta, 'another body')).rejects.toMatchObject(reused)
  await expect(once({ ...meta, params: { event_id: 'f' } })).rejects.toMatchObject(reused)
  await expect(once(meta, 'body', run, 'test.others.create')).rejects.toMatchObject(reused)
  expect(runs).toBe(1)
})

test('a key belongs to its token', async () => {
  await once(metaOf('mine'))
  await once(metaOf('mine', { caller: { account_id: 'a', token_id: 'u', scope: 'admin' } }), 'another body')
  expect(runs).toBe(2)
})

test('while the first request runs, another one with its key is a conflict', async () => {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let started = (): void => {}
  const running = new Promise<void>((resolve) => {
    started = resolve
  })
  const first = once(metaOf('running'), 'body', async () => {
    started()
    await released
    return run()
  })
  await running
  await expect(once(metaOf('running'))).rejects.toMatchObject({ code: 'conflict' })
  release()
  await first
  expect(await once(metaOf('running'))).toMatchObject({ replayed: true })
  expect(runs).toBe(1)
})

test('of many at once exactly one runs', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => once(metaOf('crowd'))))
  expect(runs).toBe(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' })
    else expect(Buffer.from(outcome.value.body).toString()).toBe('answer 1')
  }
})

test('only the same request may retry a try without an answer in time', async () => {
  const late = async (): Promise<Reply> => {
    throw unavailable()
  }
  await expect(once(metaOf('late'), 'body', late)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(once(metaOf('late'), 'another body')).rejects.toMatchObject({ code: 'invalid' })
  expect(await once(metaOf('late'), 'body')).not.toHaveProperty('replayed')
})

test('a refusal is not remembered: the key is free again', async () => {
  const refuse = async (): Promise<Reply> => {
    throw notFound()
  }
  await expect(once(metaOf('refused'), 'body', refuse)).rejects.toMatchObject({ code: 'not_found' })
  expect(await once(metaOf('refused'), 'a corrected body')).toEqual({ body: Buffer.from('answer 1') })
})

test('a try that never ended is taken over when its time is up', async () => {
  void once(metaOf('crashed'), 'body', () => new Promise<Reply>(() => {}))
  const memories = store.db.collection('idempotency_keys')
  const waiting = { reply: { $exists: false } }
  await expect.poll(() => memories.countDocuments(waiting)).toBe(1)
  await expect(once(metaOf('crashed'))).rejects.toMatchObject({ code: 'conflict' })
  await memories.updateOne(waiting, { $set: { running_until: new Date(0) } })
  expect(Buffer.from((await once(metaOf('crashed'))).body).toString()).toBe('answer 1')
  expect(runs).toBe(1)
})

test('a try that never ended holds its key not much longer than its caller waits', async () => {
  void once({ ...metaOf('cut off'), budget: 5_000 }, 'body', () => new Promise<Reply>(() => {}))
  const memories = store.db.collection('idempotency_keys')
  await expect.poll(() => memories.countDocuments({ reply: { $exists: false } })).toBe(1)
  const waiting = await memories.findOne({ reply: { $exists: false } })
  expect(waiting?.running_until - waiting?.created_at).toBe(15_000)
})

test(
  'a key whose request failed while the store was away is free once the store is back, not only when its time is up',
  slow,
  async () => {
    const proxy = await proxyTo(inject('mongodbUrl'))
    const behind = await openStore(proxy.url, store.db.databaseName.replace(/_idempotency$/, ''), 'idempotency')
    onTestFinished(async () => {
      await behind.close()
      await proxy.close()
    })
    const meta = metaOf('away', { request_id: 'first' })
    const failing = async (): Promise<Reply> => {
      proxy.cut()
      return run()
    }
    const first = new IdempotencyStore(behind.db).once(SUBJECT, 't', meta, Buffer.from('body'), failing)
    await expect(first).rejects.toThrow()
    const again = () => once(metaOf('away', { request_id: 'second' }))
    await expect(again()).rejects.toMatchObject({ code: 'conflict' })
    proxy.mend()
    const memories = store.db.collection('idempotency_keys')
    const heldFor = async () => {
      const [memory] = await memories.find({ request_id: 'first' }).toArray()
      return memory?.running_until - memory?.created_at
    }
    await expect.poll(heldFor).toBeLessThan(70_000)
    expect(await again()).toEqual({ body: Buffer.from('answer 2') })
  },
)

test('an answer lies sealed: neither it nor the key can be read in the store', async () => {
  await once(metaOf('secret-key'), 'body', async () => ({ body: Buffer.from('gh_secret_token') }))
  const stored = await store.db.collection('idempotency_keys').find().toArray()
  const bytes = stored.map(
    ({ reply, ...rest }) => JSON.stringify(rest) + Buffer.from(reply?.buffer ?? []).toString('latin1'),
  )
  expect(bytes.length).toBeGreaterThan(0)
  expect(bytes.join()).not.toMatch(/gh_secret_token|secret-key/)
  expect(Buffer.from((await once(metaOf('secret-key'))).body).toString()).toBe('gh_secret_token')
})

test('the stored hash of a body cannot be guessed at without the key', async () => {
  await Promise.all([once(metaOf('one key'), 'a password'), once(metaOf('another key'), 'a password')])
  const memories = await store.db.collection('idempotency_keys').find().sort({ created_at: -1 }).limit(2).toArray()
  expect(new Set(memories.map(({ fingerprint }) => fingerprint)).size).toBe(2)
})

test('an empty answer is an answer', async () => {
  const nothing = async (): Promise<Reply> => ({ body: new Uint8Array(0) })
  await once(metaOf('empty'), 'body', nothing)
  expect(await once(metaOf('empty'), 'body', nothing)).toMatchObject({ replayed: true, body: Buffer.alloc(0) })
})

test('answers expire after a day', async () => {
  const indexes = await store.db.collection('idempotency_keys').indexes()
  expect(indexes).toContainEqual(expect.objectContaining({ key: { created_at: 1 }, expireAfterSeconds: 86_400 }))
})
