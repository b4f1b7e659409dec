// @module-tag slow
import { AckPolicy, type Consumer, type JsMsg, jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { natsOptions } from '../bus/connecting.ts'
import { makeLog } from '../process/log.ts'
import { BatchConsumer, type BatchResult } from './batch-consumer.ts'

const WORKER = 'worker'
const AT_ONCE: BatchResult = { things: 1, tookMs: 0 }

/** What of a piece's options a test is about. */
type Options = Partial<ConstructorParameters<typeof BatchConsumer>[0]>

// Again where the machine stood still for seconds: JetStream redelivers messages then.
describe('work in pieces', { retry: 2 }, () => {
  let connection: NatsConnection
  let stream: string
  let batches: string[][]
  let times: number[]
  let ended: AbortController
  let running: Promise<void>

  beforeAll(async () => {
    connection = await connect(natsOptions(inject('natsUrl')))
  })
  beforeEach(async () => {
    ;[stream, batches, times, ended, running] = [
      `test-${crypto.randomUUID()}`,
      [],
      [],
      new AbortController(),
      Promise.resolve(),
    ]
    await (await jetstreamManager(connection)).streams.add({
      name: stream,
      subjects: [stream],
      storage: StorageType.Memory,
    })
  })
  afterEach(async () => {
    ended.abort()
    await running
    await (await jetstreamManager(connection)).streams.delete(stream)
  })
  afterAll(() => connection.close())

  async function open(): Promise<Consumer> {
    const manager = await jetstreamManager(connection)
    await manager.consumers.add(stream, { durable_name: WORKER, ack_policy: AckPolicy.Explicit })
    return jetstream(connection).consumers.get(stream, WORKER)
  }

  /** Notes each piece, and says of its messages that they are done. */
  function recording(cameOf: (messages: JsMsg[]) => BatchResult): (messages: JsMsg[]) => Promise<BatchResult> {
    return async (messages) => {
      times.push(performance.now())
      batches.push(messages.map((message) => message.string()))
      for (const message of messages) message.ack()
      return cameOf(messages)
    }
  }

  function start(options: Options = {}): void {
    const all = {
      open,
      work: recording(() => AT_ONCE),
      waitingSince: () => Date.now(),
      max: { things: 10, messages: 10 },
      patienceMs: 60_000,
      lateMs: 10_000,
      signal: ended.signal,
      log: makeLog('pieces-test', 'silent'),
      ...options,
    }
    running = new BatchConsumer(all).run()
  }

  async function publish(count: number): Promise<void> {
    const js = jetstream(connection)
    for (let number = 0; number < count; number++) await js.publish(stream, `${number}`)
  }

  const sizes = (): number[] => batches.map(({ length }) => length)
  const count = (): number => batches.flat().length

  test('takes waiting messages in order, in chunks that grow up to the bound', async () => {
    await publish(30)
    start()
    await expect.poll(count).toBe(30)
    expect(sizes()).toEqual([1, 4, 10, 10, 5])
    expect(batches.flat()).toEqual(Array.from({ length: 30 }, (_, number) => `${number}`))
  })

  test('takes fewer messages of which each holds many things', async () => {
    await publish(9)
    start({ work: recording(({ length }) => ({ things: 4 * length, tookMs: 0 })) })
    await expect.poll(count).toBe(9)
    expect(sizes()).toEqual([1, 3, 3, 2])
  })

  test('works on a message as soon as there is one, also when nothing came for long', async () => {
    start()
    for (let time = 1; time <= 3; time++) {
      await publish(1)
      await expect.poll(sizes).toEqual(Array.from({ length: time }, () => 1))
    }
  })

  test('rests after a piece for four times as long as it took, also after one of which there was nothing to do where it is to', async () => {
    await publish(3)
    const worked = [{ things: 1, tookMs: 250 }, { things: 0, tookMs: 0 }, AT_ONCE]
    start({
      idleMs: 700,
      max: { things: 1, messages: 1 },
      work: recording(() => worked[batches.length - 1] as BatchResult),
    })
    await expect.poll(sizes).toEqual([1, 1, 1])
    const [first, second, third] = times as [number, number, number]
    expect(second - first).toBeGreaterThan(990)
    expect(third - second).toBeGreaterThan(690)
  })

  test('logs once how late waiting work is, and nothing if none waits', async () => {
    const lines: object[] = []
    const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) })
    const late: Options = { log, waitingSince: () => Date.now() - 60_000 }
    await publish(1)
    start(late)
    await expect.poll(count).toBe(1)
    ended.abort()
    await running
    expect(lines).toEqual([])
    ended = new AbortController()
    await publish(20)
    start({ ...late, signal: ended.signal })
    await expect.poll(count).toBe(21)
    expect(lines).toEqual([expect.objectContaining({ late_s: 60, msg: expect.stringContaining('running late') })])
  })

  test('ends by the signal: it finishes its chunk and takes no more', async () => {
    const order: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    await publish(2)
    start({
      work: async (messages) => {
        order.push('begun')
        await promise
        order.push('done')
        for (const message of messages) message.ack()
        return AT_ONCE
      },
    })
    await expect.poll(() => order).toEqual(['begun'])
    ended.abort()
    const over = running.then(() => order.push('over'))
    resolve()
    await over
    expect(order).toEqual(['begun', 'done', 'over'])
  })

  test('ends by the signal while it waits for a message, and takes none that comes later', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    start({
      open: async () => {
        const consumer = await open()
        resolve()
        return consumer
      },
    })
    await promise
    ended.abort()
    await running
    await publish(1)
    expect(batches).toEqual([])
    await expect.poll(async () => (await (await open()).info()).num_pending).toBe(1)
  })

  test('retries after errors, and creates a lost consumer again', async () => {
    let opened = 0
    start({
      open: async () => {
        opened++
        if (opened === 1) throw new Error('JetStream is away')
        return open()
      },
      work: recording(() => {
        if (batches.length === 2) throw new Error('this piece failed')
        return AT_ONCE
      }),
    })
    await publish(2)
    await expect.poll(count).toBe(2)
    await expect.poll(() => opened).toBe(3)
    await (await jetstreamManager(connection)).consumers.delete(stream, WORKER)
    await expect.poll(() => opened).toBe(4)
    await expect.poll(count).toBeGreaterThanOrEqual(4)
  })
})
