import type { Process } from '@gatehouse/test/harness/process.ts'
import { startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServiceName } from '../../services.ts'

const USES = 7
/** Rounds in which a process of promo is killed; few of guests, whose crashes have tests of their own (killed.test.ts). */
const ROUNDS = { promo: 60, guests: 5 }
/** How long one request may take; more than that, and it is 503. */
const TIMEOUT_MS = 4_000

/** Processes are killed -9 while many guests want the last uses of a code. */
describe('crashes while a discount code is used up', () => {
  let system: System
  let testEvent: TestEvent
  let category: string
  let processes: Process[] = []

  beforeAll(async () => {
    system = await startSystem({ gateway: { deadline_ms: TIMEOUT_MS } })
  })
  afterAll(() => system?.stop())
  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
    processes = []
  })
  afterEach(async () => {
    await Promise.all(processes.map((each) => each.stop()))
  })

  /** A further process of a service of the system. */
  async function start(service: ServiceName): Promise<Process> {
    const started = await startReplicaProcess(service, system, { deadline_ms: TIMEOUT_MS })
    processes.push(started)
    return started
  }

  async function kill(victim: Process): Promise<void> {
    processes = processes.filter((each) => each !== victim)
    await victim.kill()
  }

  const code = async (text: string): Promise<string> =>
    (await testEvent.make('promo_codes.json', { text, amount: 5, max_usage: USES }))._id

  const register = (promo_code: string, key?: string): Promise<Answer> =>
    testEvent.api(
      'POST',
      'guests.json',
      { guest_category_id: category, last_name: 'L', promo_code },
      { headers: key ? { 'idempotency-key': key } : {} },
    )

  /** Many guests at once, with a kill in their middle; the statuses that they got. */
  async function rushAndKill(promo_code: string, victim: Process): Promise<number[]> {
    const answers = Array.from({ length: 200 }, () => register(promo_code))
    // Some have been answered by then, some are in work, some wait.
    await Promise.race(answers)
    await kill(victim)
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(new Set([...statuses, 201, 422, 503])).toEqual(new Set([201, 422, 503]))
    return statuses
  }

  /** The uses that a code says it has, which must be the guests that hold it. */
  async function uses(promo_code: string, id: string): Promise<number> {
    const guests = (await testEvent.all('guests.json')).filter((guest) => guest.promo_code === promo_code)
    const { times_used } = await testEvent.read(`promo_codes/${id}.json`)
    expect(times_used).toBe(guests.length)
    return times_used
  }

  /** One guest after another until the code is used up. */
  async function useUp(promo_code: string): Promise<void> {
    for (;;) {
      const { status, body } = await register(promo_code)
      if (status === 422) {
        expect(body.errors).toEqual({ promo_code: ['has been used up'] })
        return
      }
      // On a busy machine some are not answered in time, and may be stored all the same.
      expect([201, 503]).toContain(status)
    }
  }

  test.each([
    ['promo', ROUNDS.promo],
    ['guests', ROUNDS.guests],
  ] as const)(
    'of two processes of %s one is killed in the middle, in %i rounds: no use too many, none lost, none left over',
    deep,
    async (victimService, count) => {
      await start('promo')
      let failed = 0
      // More of them where each victim had answered all of its own before it was killed.
      for (let round = 0; round < count || (failed === 0 && round < count + 5); round++) {
        const text = `ROUND-${round}`
        const victim = await start(victimService)
        const id = await code(text)
        const statuses = await rushAndKill(text, victim)
        failed += statuses.filter((status) => status === 503).length
        const created = statuses.filter((status) => status === 201).length
        // Who got no answer may be stored all the same.
        const stored = (await testEvent.read(`promo_codes/${id}.json`)).times_used
        expect(stored).toBeGreaterThanOrEqual(created)
        expect(stored).toBeLessThanOrEqual(USES)
        await useUp(text)
        expect(await uses(text, id)).toBe(USES)
      }
      expect(failed).toBeGreaterThan(0)
    },
  )

  test(
    'both processes of promo are killed and come back: 503 for guests with a code only, and nothing is lost',
    deep,
    async () => {
      const id = await code('AWAY').catch(async () => {
        await start('promo')
        return code('AWAY')
      })
      const victims = [...processes, await start('promo')]
      const answers = Array.from({ length: 60 }, () => register('AWAY'))
      await Promise.race(answers)
      await Promise.all(victims.map(kill))
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(USES)
      expect((await register('AWAY')).status).toBe(503)
      await testEvent.guest(category, 'without')
      await start('promo')
      await useUp('AWAY')
      expect(await uses('AWAY', id)).toBe(USES)
    },
  )

  test('who tries again with an Idempotency-Key until there is an answer uses the code once', deep, async () => {
    await start('promo')
    const id = await code('TRIES')
    const persist = async (key: string): Promise<Answer> => {
      for (;;) {
        const answer = await register('TRIES', key)
        // Not answered in time, or the try that was cut off still counts as running.
        if (![503, 409].includes(answer.status)) return answer
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
    const victims = [await start('guests'), await start('guests')]
    const answers = Array.from({ length: 60 }, () => persist(crypto.randomUUID()))
    await Promise.race(answers)
    await kill(victims[0] as Process)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await kill(victims[1] as Process)
    const all = await Promise.all(answers)
    const created = all.filter(({ status }) => status === 201).map(({ body }) => body._id)
    expect(new Set(created).size).toBe(USES)
    expect(all.filter(({ status }) => status === 422)).toHaveLength(60 - USES)
    expect(await uses('TRIES', id)).toBe(USES)
  })
})
