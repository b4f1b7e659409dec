import { createHash } from 'node:crypto'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { ownDatabase } from '@gatehouse/test/harness/databases.ts'
import { planOf } from '@gatehouse/test/harness/query-plans.ts'
import { SECRETS_KEY } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import type { Document } from 'mongodb'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ArtifactStore } from './artifacts.ts'
import { KeyStore } from './keys.ts'

const DAY_MS = 86_400_000

describe('artifacts', () => {
  const { client, db } = ownDatabase()
  const sealer = new Encrypter(SECRETS_KEY)
  const artifacts = new ArtifactStore(db, sealer)
  let sent: Document[] = []

  beforeAll(async () => {
    await artifacts.prepare()
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') sent.push(command)
    })
  })

  test('an artifact is found only by its id and account, until it expires', async () => {
    await artifacts.put('one', 'Session', 'id', { a: 1 }, 60, { uid: 'uid' })
    await artifacts.put('one', 'Grant', 'id', { b: 1 }, 60, {})
    expect(await artifacts.find('one', 'Grant', 'id')).toEqual({ payload: { b: 1 }, consumed_at: undefined })
    expect(await artifacts.sessions.find('one', 'id')).toMatchObject({ payload: { a: 1 } })
    expect(await artifacts.sessions.findByUid('one', 'uid')).toMatchObject({ payload: { a: 1 } })
    for (const [account, kind, id] of [
      ['two', 'Grant', 'id'],
      ['one', 'AccessToken', 'id'],
      ['one', 'Grant', 'id2'],
    ] as const) {
      expect(await artifacts.find(account, kind, id)).toBeUndefined()
    }
    expect([await artifacts.hasGrant('one', 'id'), await artifacts.hasGrant('two', 'id')]).toEqual([true, false])
    for (const account of ['one', 'two']) {
      const id = account === 'one' ? 'uid' : 'id'
      expect(await artifacts.sessions.find(account, id)).toBeUndefined()
    }
    expect(await artifacts.sessions.findByUid('two', 'uid')).toBeUndefined()
    const hash = createHash('sha256')
      .update(JSON.stringify(['one', 'Session', 'old']))
      .digest('base64url')
    // It is still stored until the index removes it. Again if that happened at this moment.
    await vi.waitFor(async () => {
      await artifacts.put('one', 'Session', 'old', { a: 1 }, -1, { uid: 'old' })
      expect(await artifacts.sessions.find('one', 'old')).toBeUndefined()
      expect(await artifacts.sessions.findByUid('one', 'old')).toBeUndefined()
      expect(await db.collection<{ _id: string }>('oidc_artifacts').countDocuments({ _id: hash })).toBe(1)
    }, 60_000)
  })

  test('an index removes expired artifacts', async () => {
    const indexes = await db.collection('oidc_artifacts').indexes()
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }))
  })

  test('one of many concurrent claims succeeds and uses it up; another put does not undo that', async () => {
    await artifacts.put('one', 'AuthorizationCode', 'code', { a: 1 }, 60, {})
    const names = Array.from({ length: 20 }, (_, n) => `claim ${n}`)
    const tries = await Promise.all(names.map((name) => artifacts.claim('one', 'AuthorizationCode', 'code', name)))
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await artifacts.claimOf('one', 'AuthorizationCode', 'code')).toBe(names[tries.indexOf(true)])
    expect(await artifacts.find('one', 'AuthorizationCode', 'code')).toMatchObject({ consumed_at: undefined })
    const used = await Promise.all(names.map((name) => artifacts.consume('one', 'AuthorizationCode', 'code', name)))
    expect(used).toEqual(tries)
    await artifacts.put('one', 'AuthorizationCode', 'code', { a: 2 }, 60, {})
    expect((await artifacts.find('one', 'AuthorizationCode', 'code'))?.consumed_at).toBeInstanceOf(Date)
    const last = names[tries.indexOf(true)]
    expect(await artifacts.claim('one', 'AuthorizationCode', 'code', 'late', last)).toBe(false)
    expect(await artifacts.claim('one', 'AuthorizationCode', 'unknown', 'x')).toBe(false)
  })

  test('one request takes an abandoned claim over; the former holder can no longer use it', async () => {
    await artifacts.put('one', 'AuthorizationCode', 'left', {}, 60, {})
    expect(await artifacts.claim('one', 'AuthorizationCode', 'left', 'killed')).toBe(true)
    const tries = await Promise.all(
      ['a', 'b', 'c'].map((name) => artifacts.claim('one', 'AuthorizationCode', 'left', name, 'killed')),
    )
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await artifacts.consume('one', 'AuthorizationCode', 'left', 'killed')).toBe(false)
    expect(await artifacts.consume('one', 'AuthorizationCode', 'left', 'abc'[tries.indexOf(true)] ?? '')).toBe(true)
  })

  test('one of many concurrent requests ends a grant, which is not stored again', async () => {
    await artifacts.put('one', 'Grant', 'g', {}, 60, { contact_id: 'ada', client_id: 'hub' })
    const tries = await Promise.all(Array.from({ length: 8 }, () => artifacts.endGrant('one', 'g')))
    expect(tries.filter(Boolean)).toEqual([{ contact_id: 'ada', client_id: 'hub' }])
    await artifacts.put('one', 'Grant', 'g', {}, 60, {})
    expect([await artifacts.hasGrant('one', 'g'), await artifacts.find('one', 'Grant', 'g')]).toEqual([
      false,
      undefined,
    ])
    expect(await artifacts.endGrant('one', 'unknown')).toBeUndefined()
  })

  test('an ended session is not stored again, and a changed one only at its current revision', async () => {
    await artifacts.put('one', 'Session', 'a', { n: 0 }, 60, { uid: 'u' })
    const at = await artifacts.sessions.find('one', 'a')
    if (!at) throw new Error('not found')
    const put = (n: number) =>
      artifacts.sessions.replace('one', 'u', `b${n}`, { n }, 60, { at, contact_id: 'ada', isSame: n !== 9 })
    const tries = await Promise.all([1, 2, 3, 4].map(put))
    expect(tries.filter(Boolean)).toHaveLength(1)
    const n = tries.indexOf(true) + 1
    for (const id of ['a', `b${n}`]) expect((await artifacts.sessions.find('one', id))?.payload).toEqual({ n })
    const now = await artifacts.sessions.find('one', 'a')
    if (!now) throw new Error('not found')
    const options = { at: now, contact_id: 'bob', isSame: false }
    expect(await artifacts.sessions.replace('one', 'u', 'c', { n: 9 }, 60, options)).toBe(true)
    expect([await artifacts.sessions.find('one', 'a'), await artifacts.sessions.find('one', `b${n}`)]).toEqual([
      undefined,
      undefined,
    ])
    const last = await artifacts.sessions.find('one', 'c')
    if (!last) throw new Error('not found')
    await artifacts.sessions.delete('two', 'c')
    expect(await artifacts.sessions.find('one', 'c')).toBeDefined()
    await artifacts.sessions.delete('one', 'c')
    expect(await artifacts.sessions.replace('one', 'u', 'c', {}, 60, { ...options, at: last })).toBe(false)
    expect(await artifacts.sessions.findByUid('one', 'u')).toBeUndefined()
  })

  test('a session that ends while it is being stored is gone', async () => {
    for (let round = 0; round < 30; round++) {
      const [id, uid] = [`ended ${round}`, `uid ${round}`]
      await artifacts.put('one', 'Session', id, {}, 60, { uid })
      const at = await artifacts.sessions.find('one', id)
      if (!at) throw new Error('not found')
      const options = { at, contact_id: 'ada', isSame: true }
      await Promise.all([
        artifacts.sessions.replace('one', uid, id, {}, 60, options),
        artifacts.sessions.delete('one', id),
      ])
      expect(await artifacts.sessions.find('one', id), `round ${round}`).toBeUndefined()
    }
  })

  test('a grant that ends while it is being stored has ended', slow, async () => {
    for (let round = 0; round < 30; round++) {
      const put = () => artifacts.put('one', 'Grant', `ended ${round}`, {}, 60, { contact_id: 'ada' })
      await put()
      const [ended] = await Promise.all([artifacts.endGrant('one', `ended ${round}`), put()])
      expect([ended?.contact_id, await artifacts.hasGrant('one', `ended ${round}`)], `round ${round}`).toEqual([
        'ada',
        false,
      ])
    }
  })

  test('concurrent puts of the same id leave one document', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => artifacts.put('one', 'Session', 'busy', { n }, 60, { uid: 'b' })),
    )
    expect((await artifacts.sessions.find('one', 'busy'))?.payload).toHaveProperty('n')
  })

  test('artifacts are deleted with their grant, only of its account and kind; later ones stay', async () => {
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

  test('each lookup uses an index and reads only its result', async () => {
    for (let n = 0; n < 60; n++) await artifacts.put('many', 'Session', `s${n}`, {}, 600, { uid: `u${n}` })
    // DocumentDB cannot explain a lookup of several ids, which uses the same index.
    for (const run of [
      () => artifacts.sessions.find('many', 's7'),
      () => artifacts.sessions.findByUid('many', 'u7'),
      () => artifacts.claim('many', 'Session', 'u7', 'x').then(() => artifacts.claimOf('many', 'Session', 'u7')),
    ]) {
      sent = []
      expect(await run()).toBeDefined()
      expect((await planOf(db, sent.at(-1) as Document)).read).toBe(1)
    }
  })

  test('concurrent lookups share queries, and each gets its own artifact, none of another account', async () => {
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

  test('concurrent reads of an account’s first key get the same key', slow, async () => {
    const stores = [new KeyStore(db, sealer), new KeyStore(db, sealer)]
    await Promise.all(stores.map((store) => store.of('warm')))
    const keys = await Promise.all(Array.from({ length: 6 }, (_, n) => stores[n % 2]?.of('fresh')))
    expect(new Set(keys.map((each) => each?.signing[0]?.kid)).size).toBe(1)
    expect(new Set(keys.map((each) => each?.cookies.toString('hex'))).size).toBe(1)
    const other = await stores[0]?.of('other')
    expect(other?.signing[0]?.kid).not.toBe(keys[0]?.signing[0]?.kid)
  })

  test('a key is published a day before it signs and a month after; concurrent rotations make one', slow, async () => {
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
    // The third key is due at day 182, when the first one has long been out of use.
    const later = await kids(183)
    expect(later[0]).toBe(second)
    expect(later).not.toContain(first)
    expect(later).toHaveLength(2)
  })

  test('neither keys nor typed text are readable in the store', async () => {
    await artifacts.put('one', 'Interaction', 'i', { params: { login_hint: 'ada@example.org' } }, 60, {})
    const texts = await Promise.all(
      ['oidc_artifacts', 'oidc_keys'].map(async (name) => JSON.stringify(await db.collection(name).find().toArray())),
    )
    for (const secret of ['ada@example.org', '"d"', 'login_hint']) expect(texts.join()).not.toContain(secret)
  })
})
