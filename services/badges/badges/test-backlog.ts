import type { Process } from '@gatehouse/test/harness/process.ts'
import { startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { type Document, type FindCursor, MongoClient } from 'mongodb'
import { expect, inject } from 'vitest'

/** Batches of 1, 4, 10 and 1 badges. While the database is busy, the pauses between them add up to some seven seconds. */
const COUNT = 16

/** Badges that wait, and processes that make them over a connection to the database that a test can slow down. */
export class TestBacklog {
  readonly system: System
  readonly client: MongoClient
  readonly proxy: TcpProxy
  readonly #running: Process[] = []

  private constructor(system: System, client: MongoClient, proxy: TcpProxy) {
    this.system = system
    this.client = client
    this.proxy = proxy
  }

  static async open(): Promise<TestBacklog> {
    const url = inject('mongodbUrl')
    return new TestBacklog(await startSystem(), await MongoClient.connect(url), await proxyTo(url))
  }

  /** Starts a badges process. */
  async start(): Promise<Process> {
    const url = new URL(inject('mongodbUrl'))
    url.host = this.proxy.host
    const process = await startReplicaProcess('badges', this.system, { mongodb_url: url.href, deadline_ms: 5_000 })
    this.#running.push(process)
    return process
  }

  /** Guests with badge orders, while no badges process runs. */
  async waiting(): Promise<{ testEvent: TestEvent; guests: Answer['body'][] }> {
    const testEvent = await TestEvent.open(this.system)
    const { _id } = await testEvent.make('guest_categories.json', { name: 'VIP', badge_enabled: true })
    const order = (_: unknown, index: number) =>
      testEvent.make('guests.json', { guest_category_id: _id, last_name: `Guest ${index}` })
    return { testEvent, guests: await Promise.all(Array.from({ length: COUNT }, order)) }
  }

  /** The badges of an event. */
  badgesOf({ id }: TestEvent): FindCursor<Document> {
    return this.client.db(`${this.system.namespace}_badges`).collection('badges').find({ event_id: id })
  }

  /** Seconds from the first badge to the last, once all are made. */
  async secondsFor(testEvent: TestEvent): Promise<number> {
    const waiting = async () => (await testEvent.read('guests.json')).filter(isWaiting).length
    await expect.poll(waiting, { interval: 100 }).toBe(0)
    const times = (await this.badgesOf(testEvent).toArray()).map(({ created_at }) => created_at.getTime())
    expect(times).toHaveLength(COUNT)
    return (Math.max(...times) - Math.min(...times)) / 1_000
  }

  /** Stops the processes that make badges. */
  async stopProcesses(): Promise<void> {
    this.proxy.slow(0)
    for (const process of this.#running.splice(0)) await process.stop()
  }

  async close(): Promise<void> {
    await this.stopProcesses()
    await this.system.stop()
    await this.proxy.close()
    await this.client.close()
  }
}

const isWaiting = ({ badge_completed }: Answer['body']): boolean => !badge_completed
