// @module-tag slow
import { natsUrlOf, storeUrlsOf } from '@gatehouse/test/harness/nats-urls.ts'
import { type OwnRedis, ownRedis, redisServer } from '@gatehouse/test/harness/own-redis.ts'
import type { Process } from '@gatehouse/test/harness/process.ts'
import { startReplica, startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type SpeakingProcess, startSpeaking } from '@gatehouse/test/harness/speaking-process.ts'
import { SECRETS_KEY, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mainOf } from '../../services.ts'

describe.skipIf(!redisServer)('times of scans while Redis is away (8.44)', () => {
  let redis: OwnRedis
  let system: System
  let stopDoors: () => Promise<unknown>

  beforeAll(async () => {
    redis = await ownRedis()
    await redis.start()
    system = await startSystem({ checkins: 0, gateways: 2 })
    const doors = [await startReplica('checkin', system, { redis_url: redis.url })]
    doors.push(await startReplica('checkin', system, { redis_url: redis.url }))
    stopDoors = () => Promise.all(doors.map((door) => door.stop()))
  })
  afterAll(async () => {
    await stopDoors?.()
    await system?.stop()
    await redis?.kill()
  })

  test('are 503, and scans go on; afterwards those of the meantime are there, each once', async () => {
    const testEvent = await TestEvent.open(system)
    const point = await testEvent.point()
    const scan = (n: number): Promise<number> => {
      const body = { accesspoint_id: point, guest_uid: `guest ${n}` }
      return testEvent.status('POST', 'access_controls.json', body, { base: system.urls[n % 2] as string })
    }
    await redis.kill()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => scan(n)))
    expect(answers).toEqual(Array(20).fill(201))
    const { status, headers } = await testEvent.api('GET', 'scan_times.json')
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    await redis.start()
    const counted = async (): Promise<number | undefined> => {
      const { body } = await testEvent.api('GET', 'scan_times.json')
      return body.by_accesspoint?.[0]?.in_gatehouse.scan_count
    }
    await expect.poll(counted).toBe(20)
    await scan(20)
    await expect.poll(counted).toBe(21)
  })
})

describe('times of scans at a checkin process that hangs (8.44)', () => {
  let system: System
  let gateway: SpeakingProcess
  let doomed: Process | undefined

  beforeAll(async () => {
    system = await startSystem({ checkins: 0 })
    gateway = startSpeaking(mainOf('gateway'), {
      ...Object.fromEntries(
        Object.entries(storeUrlsOf('gateway')).map(([name, value]) => [name.toUpperCase(), String(value)]),
      ),
      NATS_URL: natsUrlOf('gateway'),
      NAMESPACE: system.namespace,
      SECRETS_KEY,
      PORT: '0',
      RATE_LIMITS: 'off',
      DEADLINE_MS: '60000',
    })
    await gateway.ready()
  })
  afterAll(async () => {
    await gateway?.stop()
    await doomed?.kill()
    await system?.stop()
  })

  test('are those until another one answers, once each, and the log names event, check-in point and device of the slow ones, and nobody', async () => {
    const first = await startReplicaProcess('checkin', system)
    doomed = first
    const testEvent = await TestEvent.open(system)
    const point = await testEvent.point('North door')
    const base = /"url":"(http:[^"]+)"/.exec(gateway.said.out)?.[1] as string
    process.kill(first.pid, 'SIGSTOP')
    const sent = ['ada', 'bob'].map((guest_uid) =>
      testEvent.status('POST', 'access_controls.json', { accesspoint_id: point, guest_uid }, { base }),
    )
    const other = await startReplica('checkin', system)
    expect(await Promise.all(sent)).toEqual([201, 201])
    process.kill(first.pid, 'SIGCONT')
    const times = async () => (await testEvent.read('scan_times.json')).by_accesspoint[0]?.in_gatehouse
    await expect.poll(times).toMatchObject({ scan_count: 2, slow_count: 2, unanswered_count: 0 })
    await first.stop()
    // What a gateway has is told before it ends.
    await testEvent.status('POST', 'access_controls.json', { accesspoint_id: point, guest_uid: 'cyd' }, { base })
    await gateway.stop()
    expect(await times()).toMatchObject({ scan_count: 3 })
    const slow = gateway.said.out
      .split('\n')
      .filter((line) => line.includes('"msg":"slow scan"'))
      .map((line) => JSON.parse(line))
    expect(slow.length).toBeGreaterThanOrEqual(2)
    for (const { event_id, accesspoint_id, token_id, is_answered, ms } of slow) {
      expect([event_id, accesspoint_id, is_answered]).toEqual([testEvent.id, point, true])
      expect(token_id).toMatch(/^[0-9a-f]{24}$/)
      expect(ms).toBeGreaterThan(1_000)
    }
    for (const word of ['ada', 'bob', 'North']) expect(JSON.stringify(slow)).not.toContain(word)
    await other.stop()
  })
})
