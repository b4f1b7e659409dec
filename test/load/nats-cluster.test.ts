// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findServer } from '@gatehouse/local/packages'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { topic } from '@gatehouse/proto/declaring/topic.ts'
import { managerOf, prepareStream, streamNameOf } from '@gatehouse/proto/events/streams.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NATS_SERVERS, type NatsCluster, startNatsCluster } from './nats-cluster.ts'

const news = topic('news')

describe.skipIf(!findServer('nats'))('a cluster of NATS servers', () => {
  let dataDir: string
  let cluster: NatsCluster
  const buses: Bus[] = []

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-nats-'))
    cluster = await startNatsCluster(dataDir, { test: undefined }, () => {})
  })
  afterAll(async () => {
    for (const bus of buses) await bus.stop()
    await cluster?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** A bus at one of the servers, whose process is set to keep streams on `streamReplicas` servers. */
  async function busAt(server: string, streamReplicas: number): Promise<Bus> {
    const log = makeLog('', 'silent')
    const bus = await connectBus({
      servers: cluster.urlOf(server, 'test'),
      namespace: 'test',
      name: 'test',
      log,
      streamReplicas,
    })
    buses.push(bus)
    return bus
  }

  test('a new stream is kept on as many servers as its process is set to, and keeps that whatever another is set to', async () => {
    const [one, three] = [await busAt(NATS_SERVERS[0], 1), await busAt(NATS_SERVERS[1], 3)]
    const replicasAfter = async (bus: Bus): Promise<number | undefined> => {
      try {
        await prepareStream(bus, 'domain')
        return (await (await managerOf(bus)).streams.info(streamNameOf(bus, 'domain'))).config.num_replicas
      } catch {
        // The servers are still agreeing on their leader.
        return undefined
      }
    }
    await expect.poll(() => replicasAfter(three)).toBe(3)
    await expect.poll(() => replicasAfter(one)).toBe(3)
  })

  test('what goes over a slow route comes later than what does not', async () => {
    const slowNews = topic('slow_news')
    const [near, far] = [NATS_SERVERS[1], NATS_SERVERS[2]]
    /** Which servers' processes have heard each announcement, in order. */
    const heard = new Map<string, string[]>()
    for (const server of [far, near]) {
      const hear = (text: string): void => void heard.getOrInsertComputed(text, () => []).push(server)
      ;(await busAt(server, 1)).listen(slowNews, hear)
    }
    const one = await busAt(NATS_SERVERS[0], 1)
    let announcements = 0
    const announced = async (): Promise<string[] | undefined> => {
      const text = String(announcements++)
      one.announce(slowNews, text)
      const both = () => heard.get(text)?.length
      for (let tries = 0; both() !== 2 && tries < 100; tries++) await sleep(20)
      return heard.get(text)
    }
    await expect.poll(async () => (await announced())?.toSorted()).toEqual([near, far])
    for (const [slow, fast] of [
      [near, far],
      [far, near],
    ] as const) {
      cluster.slow([NATS_SERVERS[0], slow], 500)
      expect(await announced()).toEqual([fast, slow])
      cluster.slow([NATS_SERVERS[0], slow], 0)
    }
  })

  test('a request and an announcement reach processes at another server', async () => {
    const [one, other] = [await busAt(NATS_SERVERS[0], 1), await busAt(NATS_SERVERS[2], 1)]
    const heard: string[] = []
    other.listen(news, (text) => heard.push(text))
    other.serve('far.answer', 'far', async () => ({ body: Buffer.from('{}') }))
    await expect
      .poll(async () => Buffer.from((await one.call('far.answer', {}, undefined, true)).body).toString())
      .toBe('{}')
    one.announce(news, 'of the day')
    await expect.poll(() => heard).toEqual(['of the day'])
  })
})
