import { reservePort } from '@gatehouse/local/ports'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import { type OwnRedis, ownRedis, redisServer } from '@gatehouse/test/harness/own-redis.ts'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Ledger } from './ledger.ts'

const EVENT = 'event'
/** Changes of an event that are kept. */
const KEPT = 500

describe.skipIf(!redisServer)('the change log of an event', () => {
  let redis: OwnRedis
  /** For what an operator does to Redis. */
  let operator: Redis
  const open: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    redis = await ownRedis()
    await redis.start()
    operator = new Redis(redis.url)
    operator.on('error', () => {})
  })
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close()
    await operator.flushall()
  })
  afterAll(async () => {
    operator?.disconnect()
    await redis?.kill()
  })

  async function opened<T extends Ledger | ChangeLog>(connection: T): Promise<T> {
    await connection.connect()
    open.push(connection)
    return connection
  }
  const newLog = (url = redis.url): Promise<ChangeLog> => opened(new ChangeLog(url, 'test', makeLog('', 'silent')))
  const newLedger = (url = redis.url): Promise<Ledger> => opened(new Ledger(url, 'test', makeLog('', 'silent')))
  const added = (log: ChangeLog, uid: string): Promise<void> => log.add(EVENT, { uids: [uid] })

  /** The uids that a ledger learns of; "all" if it may have missed changes. */
  async function learned(ledger: Ledger): Promise<string[] | 'all' | undefined> {
    const claimed = await ledger.claim(EVENT, [])
    if (claimed && !claimed.isComplete) return 'all'
    return claimed?.changes.flatMap((change) => ('uids' in change ? change.uids : []))
  }

  /** Waits until a ledger knows all changes. A look that takes too long is none: a busy machine may need several. */
  const caughtUp = (ledger: Ledger): Promise<void> => expect.poll(() => learned(ledger)).toEqual([])

  test('a ledger learns of each change once and in order, and at first that it knows none', async () => {
    const [log, ledger] = [await newLog(), await newLedger()]
    await added(log, 'before')
    expect(await learned(ledger)).toBe('all')
    expect(await learned(ledger)).toEqual([])
    for (const uid of ['ada', 'bob']) await added(log, uid)
    expect(await learned(ledger)).toEqual(['ada', 'bob'])
    expect(await learned(ledger)).toEqual([])
    await log.add(EVENT, { rights: true })
    await log.add(EVENT, { uids: ['cyd'], leaving: true })
    expect((await ledger.claim(EVENT, []))?.changes).toEqual([{ rights: true }, { uids: ['cyd'], leaving: true }])
    expect(await learned(await newLedger())).toBe('all')
  })

  test('of changes that several processes add at once none is lost or comes twice', async () => {
    const [one, other, ledger] = [await newLog(), await newLog(), await newLedger()]
    await caughtUp(ledger)
    const uids = Array.from({ length: 300 }, (_, n) => `${n}`)
    let adding = true
    const seen: (string[] | 'all' | undefined)[] = []
    const looking = (async () => {
      while (adding) seen.push(await learned(ledger))
    })()
    await Promise.all(uids.map((uid, n) => added(n % 2 ? one : other, uid)))
    adding = false
    await looking
    seen.push(await learned(ledger))
    expect(seen.flat().toSorted()).toEqual(uids.toSorted())
  })

  test('a ledger that is behind by more changes than are kept learns that it may have missed some', async () => {
    const [log, ledger] = [await newLog(), await newLedger()]
    await caughtUp(ledger)
    await Promise.all(Array.from({ length: KEPT }, () => added(log, 'kept')))
    await expect.poll(() => learned(ledger)).toHaveLength(KEPT)
    await Promise.all(Array.from({ length: KEPT + 1 }, () => added(log, 'many')))
    await expect.poll(() => learned(ledger)).toBe('all')
  })

  test('a ledger learns that Redis has lost its data, also if as many changes were added since', async () => {
    const [log, ledger] = [await newLog(), await newLedger()]
    await added(log, 'one')
    await caughtUp(ledger)
    await operator.flushall()
    await added(log, 'other')
    expect(await learned(ledger)).toBe('all')
    await operator.flushall()
    expect(await learned(ledger)).toBe('all')
  })

  test('over a new connection a ledger learns that it may have missed changes', slow, async () => {
    const proxy = await proxyTo(redis.url)
    open.push(proxy)
    const ledger = await newLedger(proxy.url)
    await caughtUp(ledger)
    proxy.cut()
    await expect.poll(() => learned(ledger)).toBeUndefined()
    proxy.mend()
    await expect.poll(() => learned(ledger)).toBe('all')
  })

  test('a Redis whose memory is full takes no change, but every ledger then forgets the event', async () => {
    const [log, ledger] = [await newLog(), await newLedger()]
    await added(log, 'early')
    await caughtUp(ledger)
    await operator.config('SET', 'maxmemory', '1')
    try {
      await added(log, 'refused')
    } finally {
      await operator.config('SET', 'maxmemory', '0')
    }
    expect(await learned(ledger)).toBe('all')
  })

  test('a change that waits for a Redis that hangs is refused, and is there when it was taken late', slow, async () => {
    const proxy = await proxyTo(redis.url)
    open.push(proxy)
    const [log, ledger] = [await newLog(proxy.url), await newLedger()]
    await caughtUp(ledger)
    proxy.freeze()
    await expect(added(log, 'late')).rejects.toMatchObject({ code: 'unavailable' })
    proxy.thaw()
    await expect.poll(() => learned(ledger)).toContain('late')
  })

  test(
    'a change waits two seconds for sentinels that do not answer, since doors may reach others, and is then answered',
    slow,
    async () => {
      const begun = performance.now()
      const log = new ChangeLog(`redis+sentinel://127.0.0.1:${await reservePort()}/door`, 'test', makeLog('', 'silent'))
      open.push(log)
      void log.connect()
      await added(log, 'unheard')
      expect(performance.now() - begun).toBeGreaterThan(1_900)
    },
  )

  test('a change that comes while a single Redis is away does not wait for it', async () => {
    const log = await newLog(`redis://127.0.0.1:${await reservePort()}`)
    const times = []
    for (let n = 0; n < 5; n++) {
      const begun = performance.now()
      await added(log, 'away')
      times.push(performance.now() - begun)
    }
    // It would wait for sentinels for two seconds.
    expect(Math.min(...times)).toBeLessThan(1_900)
  })

  test('a change is answered while Redis is away; it is added if Redis comes back meanwhile', async () => {
    const [log, ledger] = [await newLog(), await newLedger()]
    await redis.kill()
    await added(log, 'away')
    expect(await learned(ledger)).toBeUndefined()
    const adding = added(log, 'back')
    await redis.start()
    await adding
    await expect.poll(() => learned(ledger)).toBe('all')
    await added(log, 'next')
    expect(await learned(ledger)).toEqual(['next'])
  })
})
