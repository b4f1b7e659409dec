import { createHash } from 'node:crypto'
import { Sealer } from '@gatehouse/proto/sealing.ts'
import { SECRETS_KEY } from '@gatehouse/test/system.ts'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ArtifactStore } from './artifacts.ts'
import { KeyStore } from './keys.ts'

const DAY_MS = 86_400_000

describe('what the protocol stores', () => {
  const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  const db = client.db(`test-${crypto.randomUUID()}`)
  const sealer = new Sealer(SECRETS_KEY)
  const artifacts = new ArtifactStore(db, sealer)
  let sent: Document[] = []

  beforeAll(async () => {
    await artifacts.prepare()
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') sent.push(command)
    })
  })
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  test('an artifact is found by its id and account alone, until it expires', async () => {
    await artifacts.put('one', 'Session', 'id', { a: 1 }, 60, { uid: 'uid' })
    expect(await artifacts.find('one', 'Session', 'id')).toEqual({ payload: { a: 1 }, consumed_at: undefined })
    expect(await artifacts.findByUid('one', 'Session', 'uid')).toMatchObject({ payload: { a: 1 } })
    for (const [account, kind, id] of [
      ['two', 'Session', 'id'],
      ['one', 'Grant', 'id'],
      ['one', 'Session', 'id2'],
    ] as const) {
      expect(await artifacts.find(account, kind, id)).toBeUndefined()
    }
    expect(await artifacts.findByUid('two', 'Session', 'uid')).toBeUndefined()
    // It is still stored: the index that removes it comes by in its own time.
    await artifacts.put('one', 'Session', 'old', { a: 1 }, -1, { uid: 'old' })
    expect(await artifacts.find('one', 'Session', 'old')).toBeUndefined()
    expect(await artifacts.findByUid('one', 'Session', 'old')).toBeUndefined()
    const hash = createHash('sha256')
      .update(JSON.stringify(['one', 'Session', 'old']))
      .digest('base64url')
    expect(await db.collection<{ _id: string }>('oidc_artifacts').countDocuments({ _id: hash })).toBe(1)
  })

  test('an index removes what has expired', async () => {
    const indexes = await db.collection('oidc_artifacts').indexes()
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }))
  })

  test('of many that use it up at once, one does; putting it again does not undo that', async () => {
    await artifacts.put('one', 'AuthorizationCode', 'code', { a: 1 }, 60, {})
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => artifacts.consume('one', 'AuthorizationCode', 'code')),
    )
    expect(tries.filter(Boolean)).toHaveLength(1)
    await artifacts.put('one', 'AuthorizationCode', 'code', { a: 2 }, 60, {})
    expect((await artifacts.find('one', 'AuthorizationCode', 'code'))?.consumed_at).toBeInstanceOf(Date)
    expect(await artifacts.consume('one', 'AuthorizationCode', 'unknown')).toBe(false)
  })

  test('puts of the same id at once leave one', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => artifacts.put('one', 'Session', 'busy', { n }, 60, { uid: 'b' })),
    )
    expect((await artifacts.find('one', 'Session', 'busy'))?.payload).toHaveProperty('n')
  })

  test('what a grant gave goes with it, of its account and kind alone; what came after an end stays', async () => {
    for (const account of ['x', 'y']) {
      for (const kind of ['AccessToken', 'RefreshToken']) {
        await artifacts.put(account, kind, 't', {}, 60, { grant_id: 'g', contact_id: 'c', client_id: 'app' })
      }
    }
    await artifacts.deleteOfGrant('x', 'AccessToken', 'g')
    expect(await artifacts.find('x', 'AccessToken', 't')).toBeUndefined()
    expect(await artifacts.find('x', 'RefreshToken', 't')).toBeDefined()
    expect(await artifacts.find('y', 'AccessToken', 't')).toBeDefined()
    await artifacts.deleteOfContact('y', 'c', new Date(Date.now() - 60_000))
    expect(await artifacts.find('y', 'AccessToken', 't')).toBeDefined()
    await artifacts.deleteOfContact('y', 'c', new Date())
    expect(await artifacts.find('y', 'AccessToken', 't')).toBeUndefined()
    await artifacts.deleteOfClient('x', 'app', new Date())
    expect(await artifacts.find('x', 'RefreshToken', 't')).toBeUndefined()
  })

  test('each look-up walks an index and reads what it gives', async () => {
    for (let n = 0; n < 60; n++) await artifacts.put('many', 'Session', `s${n}`, {}, 600, { uid: `u${n}` })
    for (const [count, run] of [
      [1, () => artifacts.find('many', 'Session', 's7')],
      [1, () => artifacts.findByUid('many', 'Session', 'u7')],
      [20, () => Promise.all(Array.from({ length: 20 }, (_, n) => artifacts.findByUid('many', 'Session', `u${n}`)))],
    ] as const) {
      sent = []
      expect(await run()).toBeDefined()
      const { lsid: _, $db: __, ...query } = sent.at(-1) as Document
      const answer = await db.command({ explain: query, verbosity: 'executionStats' })
      expect(JSON.stringify(answer)).not.toContain('COLLSCAN')
      expect(answer.executionStats.totalDocsExamined).toBeLessThanOrEqual(count)
    }
  })

  test('those asked for at the same time are read together: each its own, and none of another account', async () => {
    for (const account of ['a', 'b']) {
      for (const id of ['1', '2']) await artifacts.put(account, 'Grant', id, { account, id }, 600, {})
    }
    const wanted = ['a', 'b', 'c'].flatMap((account) => ['1', '2', '3', '1'].map((id) => ({ account, id })))
    sent = []
    const found = await Promise.all(wanted.map(({ account, id }) => artifacts.find(account, 'Grant', id)))
    expect(sent.map(({ filter }) => [filter.account_id, filter._id.$in.length])).toEqual([
      ['a', 3],
      ['b', 3],
      ['c', 3],
    ])
    expect(found.map((each) => each?.payload)).toEqual(
      wanted.map((each) => (each.account === 'c' || each.id === '3' ? undefined : each)),
    )
  })

  test('of many that ask for an account’s first key at once all get the same', async () => {
    const stores = [new KeyStore(db, sealer), new KeyStore(db, sealer)]
    await Promise.all(stores.map((store) => store.of('warm')))
    const keys = await Promise.all(Array.from({ length: 6 }, (_, n) => stores[n % 2]?.of('fresh')))
    expect(new Set(keys.map((each) => each?.signing[0]?.kid)).size).toBe(1)
    expect(new Set(keys.map((each) => each?.cookies.toString('hex'))).size).toBe(1)
    const other = await stores[0]?.of('other')
    expect(other?.signing[0]?.kid).not.toBe(keys[0]?.signing[0]?.kid)
  })

  test('a new key is shown for a day before it signs, the old one for a month after; two that rotate at once make one', async () => {
    const store = new KeyStore(db, sealer)
    const start = new Date('2027-01-01T00:00:00Z')
    const after = (days: number): Date => new Date(start.getTime() + days * DAY_MS)
    const kids = async (days: number): Promise<string[]> =>
      (await store.of('rotating', after(days))).signing.map(({ kid }) => String(kid))
    const [first] = await kids(0)
    expect(await kids(89)).toEqual([first])
    await Promise.all([store.of('rotating', after(91)), store.of('rotating', after(91))])
    const announced = await kids(91)
    expect(announced).toEqual([first, expect.any(String)])
    const second = announced[1]
    expect(await kids(92.5)).toEqual([second, first])
    // The key after it is due at day 182: then the first one has long been out of use.
    const later = await kids(183)
    expect(later[0]).toBe(second)
    expect(later).not.toContain(first)
    expect(later).toHaveLength(2)
  })

  test('neither keys nor what people typed are readable in the store', async () => {
    await artifacts.put('one', 'Interaction', 'i', { params: { login_hint: 'ada@example.org' } }, 60, {})
    const texts = await Promise.all(
      ['oidc_artifacts', 'oidc_keys'].map(async (name) => JSON.stringify(await db.collection(name).find().toArray())),
    )
    for (const secret of ['ada@example.org', '"d"', 'login_hint']) expect(texts.join()).not.toContain(secret)
  })
})
