// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises'
import { guests } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import type { Meta, Reply } from '@gatehouse/proto/bus/messages.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { ChangeLog, type EventChange } from '@gatehouse/proto/storage/change-log.ts'
import { openStore, type Store } from '@gatehouse/proto/storage/mongo.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { AccesspointStore } from '../accesspoints/store.ts'
import { AreaStore } from '../areas/store.ts'
import { LinkStore } from '../links/store.ts'
import { AccessCache } from './access-cache.ts'
import type { CachedGuest } from './decision.ts'
import { Ledger } from './ledger.ts'

/** The life of an entry, a minute elsewhere. */
const TTL_MS = 9_000
/** After a pause of this length the scans are not continuous: the machine stood still. */
const SELDOM_MS = 1_000
const RESOLVE = subjectOf(guests, 'resolve')

/** Counts how often the check-in points of an event are read. */
class CountingStore extends AccesspointStore {
  reads = 0

  override ofEvent(eventId: string): ReturnType<AccesspointStore['ofEvent']> {
    this.reads++
    return super.ofEvent(eventId)
  }
}

describe('the access cache', () => {
  let system: System
  let store: Store
  let testEvent: TestEvent
  let category: string
  let observers = 0
  const buses: Bus[] = []
  const caches: AccessCache[] = []
  const connections: (Ledger | ChangeLog)[] = []

  beforeAll(async () => {
    system = await startSystem()
    store = await openStore(inject('mongodbUrl'), system.namespace, 'checkin')
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
  })
  afterAll(async () => {
    for (const cache of caches) await cache.stop()
    for (const bus of buses) await bus.stop()
    for (const connection of connections) await connection.close()
    await store?.close()
    await system?.stop()
  })

  /** The ledger and the change log of a namespace. */
  async function redisOf(namespace: string) {
    const log = makeLog('test', 'silent')
    const ledger = new Ledger(inject('redisUrl'), namespace, log)
    const changeLog = new ChangeLog(inject('redisUrl'), namespace, log)
    connections.push(ledger, changeLog)
    await Promise.all([ledger.connect(), changeLog.connect()])
    return { ledger, changeLog }
  }

  /**
   * A cache on a bus and with a change log of its own: the test passes its requests on to the guests service, and adds all changes that it learns
   * of.
   */
  async function observed({ maxGuests = 1_000, ttl = TTL_MS }: { maxGuests?: number; ttl?: number } = {}) {
    const namespace = `${system.namespace}-${observers++}`
    const log = makeLog('test', 'silent')
    const bus = await connectBus({ servers: inject('natsUrl'), namespace, name: 'test', log })
    buses.push(bus)
    /** The uids of each request. */
    const asked: string[][] = []
    const hands = { hold: undefined as Promise<void> | undefined, answers: true, held: 0 }
    const replies: Promise<unknown>[] = []
    const replyTo = async (meta: Meta, body: Uint8Array): Promise<Reply> => {
      if (!hands.answers) throw unavailable()
      const reply = await system.bus.call(RESOLVE, meta, body)
      if (hands.hold) hands.held++
      await hands.hold
      return reply
    }
    bus.serve(RESOLVE, 'guests', (meta, body) => {
      asked.push(JSON.parse(Buffer.from(body).toString()).uids)
      const reply = replyTo(meta, body)
      replies.push(reply)
      return reply
    })
    const accesspoints = new CountingStore(store.db)
    const { ledger, changeLog } = await redisOf(namespace)
    const cache = new AccessCache(bus, accesspoints, new AreaStore(store.db), new LinkStore(store.db), ledger, {
      ttl,
      maxGuests,
    })
    const learn = async (change: EventChange): Promise<void> => {
      await changeLog.add(testEvent.id, change)
      await cache.catchUp(testEvent.id)
    }
    await cache.catchUp(testEvent.id)
    caches.push(cache)
    await bus.flush()
    const scan = async (uid: string): Promise<CachedGuest | undefined> => (await cache.guestsOf(testEvent.id, [uid]))[0]
    return {
      cache,
      accesspoints,
      hands,
      asked,
      scan,
      /** Resolves when the cache has got each answer for which it has asked: that to a further question comes after them. */
      answered: async (): Promise<void> => {
        await Promise.allSettled(replies)
        await scan('nobody')
      },
      /** How often a guest was asked for. */
      timesAsked: (uid: string): number => asked.filter((uids) => uids.includes(uid)).length,
      /** Scans guests again and again until `end`, and returns how many scans had to wait for an answer. */
      keepScanning: async (uids: string[], end: () => boolean): Promise<number> => {
        let waited = 0
        await keepAsking(end, async (isKept) => {
          for (const uid of uids) if ((await waits(scan(uid))) && isKept) waited++
        })
        return waited
      },
      learn,
    }
  }

  /** Asks again and again until `end`; `ask` gets whether it did so without a pause. */
  async function keepAsking(end: () => boolean, ask: (isKept: boolean) => Promise<void>): Promise<void> {
    let last = performance.now()
    while (!end()) {
      const now = performance.now()
      await ask(now - last < SELDOM_MS)
      last = now
      await sleep(20)
    }
  }

  /** Whether an answer is not there within a turn, as a cached one is. */
  async function waits(answer: Promise<unknown>): Promise<boolean> {
    let isAnswered = false
    const answered = answer.then(() => {
      isAnswered = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    const isLate = !isAnswered
    await answered
    return isLate
  }

  function after(ms: number): () => boolean {
    const end = performance.now() + ms
    return () => performance.now() > end
  }

  test.concurrent('refreshes guests in use together in the background, and no scan waits for it', async () => {
    const { scan, keepScanning, asked } = await observed()
    const uids = ['kept a', 'kept b', 'kept c']
    for (const uid of uids) await testEvent.guest(category, uid)
    await Promise.all(uids.map(scan))
    expect(asked).toEqual([uids])
    const isRefreshed = () => asked.slice(1).some((together) => together.toSorted().join() === uids.join())
    expect(await keepScanning(uids, isRefreshed)).toBe(0)
  })

  test.concurrent('does not refresh a guest who is not scanned again, who expires', async () => {
    const { scan, keepScanning, timesAsked } = await observed()
    for (const uid of ['left', 'stays']) await testEvent.guest(category, uid)
    await scan('left')
    await scan('stays')
    const late = after(TTL_MS * 1.2)
    await keepScanning(['stays'], () => late() && timesAsked('stays') > 1)
    expect(timesAsked('left')).toBe(1)
    await scan('left')
    expect(timesAsked('left')).toBe(2)
  })

  test.concurrent('holds no expired guests', async () => {
    const { cache, scan, keepScanning } = await observed()
    for (const uid of ['went', 'came']) await testEvent.guest(category, uid)
    await scan('went')
    await scan('came')
    expect(cache.guestCount).toBe(2)
    await keepScanning(['came'], () => cache.guestCount < 2)
    expect(cache.guestCount).toBe(1)
  })

  test.concurrent('shows a change that it learns of during a refresh to the next scan', async () => {
    const { scan, keepScanning, learn, hands, answered } = await observed()
    const guest = await testEvent.guest(category, 'changing')
    const other = await testEvent.category('Other')
    await scan('changing')
    const held = Promise.withResolvers<void>()
    hands.hold = held.promise
    // The refresh is under way, and the scans use the cached guest.
    expect(await keepScanning(['changing'], () => hands.held > 0)).toBe(0)
    await testEvent.change(`guests/${guest}.json`, { guest_category_id: other })
    await learn({ uids: ['changing'] })
    hands.hold = undefined
    held.resolve()
    // The old guest arrives now.
    await answered()
    expect(await scan('changing')).toMatchObject({ guest_category_id: other })
  })

  test.concurrent('finds changes and deletions that are not in the log, even if the scans never pause', async () => {
    const { scan } = await observed()
    const [changed, deleted] = [await testEvent.guest(category, 'unheard'), await testEvent.guest(category, 'gone')]
    const other = await testEvent.category('Other')
    await scan('unheard')
    await scan('gone')
    await testEvent.change(`guests/${changed}.json`, { guest_category_id: other })
    await testEvent.remove(`guests/${deleted}.json`)
    const statesOf = async () => [(await scan('unheard'))?.guest_category_id, (await scan('gone')) === undefined]
    expect(await statesOf()).toEqual([category, false])
    await expect.poll(statesOf, { interval: 20 }).toEqual([other, true])
  })

  test.concurrent('does not cache a uid that is about to be given up, for the life of an entry', async () => {
    const cache = await observed()
    const { scan, timesAsked } = cache
    const guest = await testEvent.guest(category, 'leaving')
    await testEvent.guest(category, 'staying')
    const both = async () => [await scan('leaving'), await scan('staying')]
    await both()
    await cache.learn({ uids: ['leaving'], leaving: true })
    const end = after(TTL_MS)
    await both()
    await both()
    expect(['leaving', 'staying'].map(timesAsked)).toEqual([3, 1])
    // Not in the log, as if the process had died after the deletion.
    await testEvent.remove(`guests/${guest}.json`)
    expect(await scan('leaving')).toBeUndefined()
    await testEvent.guest(category, 'leaving')
    expect(await scan('leaving')).toBeDefined()
    const isAskedFor = async (): Promise<boolean> => {
      const before = timesAsked('leaving')
      await scan('leaving')
      return timesAsked('leaving') > before
    }
    while (await isAskedFor()) await sleep(20)
    expect(end()).toBe(true)
  })

  test.concurrent('lets entries expire while the guests service is away', async () => {
    const { scan, hands } = await observed()
    await testEvent.guest(category, 'alone')
    await scan('alone')
    hands.answers = false
    expect(await scan('alone')).toMatchObject({ guest_category_id: category })
    await expect
      .poll(
        () =>
          scan('alone').then(
            () => 'kept',
            () => 'refused',
          ),
        { interval: 20 },
      )
      .toBe('refused')
    hands.answers = true
    expect(await scan('alone')).toMatchObject({ guest_category_id: category })
  })

  test.concurrent('keeps where a guest has entered after a refresh', async () => {
    const { scan, keepScanning, timesAsked, answered } = await observed()
    await testEvent.guest(category, 'inside')
    const guest = await scan('inside')
    if (guest) guest.firstSlotStoredAt = ['door']
    await keepScanning(['inside'], () => timesAsked('inside') > 1)
    await answered()
    expect((await scan('inside'))?.firstSlotStoredAt).toEqual(['door'])
  })

  test.concurrent('forgets a party that became smaller, of a guest who is cached', async () => {
    const { cache, scan } = await observed()
    const id = await testEvent.guest(category, 'shrinking', { party_size: 5 })
    expect((await scan('shrinking'))?.party_size).toBe(5)
    await testEvent.change(`guests/${id}.json`, { party_size: 1 })
    // As a refresh does, or a door without Redis: the entry stays the same object.
    expect((await cache.anew(testEvent.id, 'shrinking')).guest?.party_size).toBe(1)
    expect((await scan('shrinking'))?.party_size).toBe(1)
  })

  test.concurrent('refreshes the rights of an event in use in the background, and no scan waits for it', async () => {
    const { cache, accesspoints } = await observed()
    await testEvent.point()
    await cache.rightsOf(testEvent.id)
    let waited = 0
    await keepAsking(
      () => accesspoints.reads > 1,
      async (isKept) => {
        if ((await waits(cache.rightsOf(testEvent.id))) && isKept) waited++
      },
    )
    expect(waited).toBe(0)
  })

  test.concurrent('holds as many guests as it may, and asks for another again whose place was taken', async () => {
    const { cache, scan, timesAsked } = await observed({ maxGuests: 2 })
    for (const uid of ['hedy', 'joan', 'karen']) await testEvent.guest(category, uid)
    for (const uid of ['hedy', 'joan', 'karen']) expect(await scan(uid)).toBeDefined()
    expect(cache.guestCount).toBe(2)
    await scan('hedy')
    expect([timesAsked('hedy'), timesAsked('karen')]).toEqual([2, 1])
  })

  test.concurrent('refreshes nothing after its stop', async () => {
    const [stopped, running] = [await observed({ ttl: 1_000 }), await observed({ ttl: 1_000 })]
    await testEvent.guest(category, 'ada')
    for (const { scan } of [stopped, running]) {
      await scan('ada')
      await scan('ada')
    }
    await stopped.cache.stop()
    const asked = stopped.timesAsked('ada')
    // Another cache has refreshed the guest, and would do so again.
    await running.keepScanning(['ada'], () => running.timesAsked('ada') > 2)
    expect(stopped.timesAsked('ada')).toBe(asked)
  })

  test('forgets the rights of an event whose points, areas, links or days have changed', async () => {
    const own = await TestEvent.open(system, { timezone: 'Europe/Paris' })
    const { ledger } = await redisOf(system.namespace)
    const stores = [new AccesspointStore(store.db), new AreaStore(store.db), new LinkStore(store.db)] as const
    const cache = new AccessCache(system.bus, ...stores, ledger, { maxGuests: 1_000 })
    caches.push(cache)
    const [category, point] = [await own.category(), await own.point()]
    const link = await own.link(category, point, 1)
    const { _id: area_id } = await own.make('areas.json', { name: 'Hall' })
    const rights = async () => {
      await cache.catchUp(own.id)
      const { exits, areaOf, day, links } = await cache.rightsOf(own.id)
      return { exits: [...exits], areas: [...areaOf], day, terms: links.get(point)?.get(category) }
    }
    const before = {
      exits: [],
      areas: [],
      day: { timezone: 'UTC', day_starts_at: '00:00' },
      terms: { max_allowed_accesses: 1 },
    }
    expect(await rights()).toEqual(before)
    await own.change(`guest_category_accesspoints/${link}.json`, { period: 'day', reentry: true })
    const terms = { max_allowed_accesses: 1, period: 'day', reentry: true }
    const day = { timezone: 'Europe/Paris', day_starts_at: '00:00' }
    expect(await rights()).toEqual({ ...before, day, terms })
    await system.api('PUT', `events/${own.id}.json`, { day_starts_at: '06:00' })
    expect((await rights()).day).toEqual({ ...day, day_starts_at: '06:00' })
    await system.api('PUT', `events/${own.id}.json`, { timezone: 'UTC' })
    expect((await rights()).day).toEqual({ timezone: 'UTC', day_starts_at: '06:00' })
    await own.change(`accesspoints/${point}.json`, { direction: 'out', area_id })
    expect(await rights()).toMatchObject({ exits: [point], areas: [[point, area_id]] })
    await own.change(`areas/${area_id}.json`, { capacity: 40 })
    await cache.catchUp(own.id)
    expect([...(await cache.rightsOf(own.id)).capacities]).toEqual([[area_id, 40]])
    await own.remove(`areas/${area_id}.json`)
    expect(await rights()).toMatchObject({ exits: [point], areas: [] })
  })

  test('shows a change to the next scan while entries are refreshed all the time', async () => {
    const { ledger } = await redisOf(system.namespace)
    const stores = [new AccesspointStore(store.db), new AreaStore(store.db), new LinkStore(store.db)] as const
    const cache = new AccessCache(system.bus, ...stores, ledger, { ttl: 12, maxGuests: 1_000 })
    caches.push(cache)
    const guest = await testEvent.guest(category, 'racing')
    const categories = [await testEvent.category('Even'), await testEvent.category('Odd')]
    let stirring = true
    const stir = async (): Promise<void> => {
      while (stirring) {
        await cache.guestsOf(testEvent.id, ['racing'])
        await sleep(1)
      }
    }
    const stirrers = [stir(), stir()]
    try {
      for (let round = 0; round < rounds(25, 1_000); round++) {
        const guest_category_id = categories[round % 2] as string
        await testEvent.change(`guests/${guest}.json`, { guest_category_id })
        await cache.catchUp(testEvent.id)
        for (let n = 0; n < 3; n++) {
          expect((await cache.guestsOf(testEvent.id, ['racing']))[0]?.guest_category_id, `round ${round}`).toBe(
            guest_category_id,
          )
          await sleep(n)
        }
      }
    } finally {
      stirring = false
      await Promise.all(stirrers)
    }
  })
})
