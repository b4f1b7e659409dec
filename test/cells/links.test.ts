// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { managerOf, prepareStream, subjectIn } from '@gatehouse/proto/events/streams.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { apiTokens, oidc } from '@gatehouse/sso/resources'
import * as topics from '@gatehouse/sso/topics'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { natsServer } from '../harness/own-nats.ts'
import { startCellsNats } from '../load/nats-cells.ts'
import type { NatsServers } from '../load/nats-servers.ts'
import { slow } from '../rounds.ts'

describe.skipIf(!natsServer)('NATS servers of cells, as leaf nodes of a hub', slow, () => {
  let folder: string
  let nats: NatsServers
  const open: Bus[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-links-'))
    nats = await startCellsNats(folder, ['east', 'west'], 'all', () => {})
  })
  afterAll(async () => {
    await Promise.all(open.map((bus) => bus.stop()))
    await nats?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const busOf = async (cell: string, name: string, cells: string[] = []): Promise<Bus> => {
    const log = makeLog('test', 'silent')
    const bus = await connectBus({
      servers: nats.urlOf(cell, name),
      namespace: cell,
      name,
      cells,
      log,
      deadlineMs: 2_000,
    })
    open.push(bus)
    return bus
  }
  const answering = async (bus: Bus, subject: string): Promise<void> => {
    bus.serve(subject, 'sso', async (_meta, body) => ({ body: Buffer.concat([Buffer.from('west '), body]) }))
    await bus.subscribed()
  }
  const ask = async (bus: Bus, subject: string, body = 'x'): Promise<string> => {
    const { body: said } = await bus.cell('west').call(subject, {}, Buffer.from(body))
    return Buffer.from(said).toString()
  }

  test('a gateway asks services of another cell, with bodies in parts too', async () => {
    const [gateway, sso] = [await busOf('east', 'gateway', ['west']), await busOf('west', 'sso')]
    await answering(sso, `${apiTokens.name}.resolve`)
    await expect.poll(() => ask(gateway, `${apiTokens.name}.resolve`).catch(() => '')).toBe('west x')
    const long = 'x'.repeat(3_000_000)
    // A busy machine does not carry so much before the deadline each time.
    const carried = () => ask(gateway, `${apiTokens.name}.resolve`, long).catch(() => '')
    await expect.poll(async () => (await carried()) === `west ${long}`).toBe(true)
  })

  test('a gateway hears what other cells tell their gateways', async () => {
    const [gateway, sso] = [await busOf('east', 'gateway', ['west']), await busOf('west', 'sso')]
    const heard: string[] = []
    gateway.listen(topics.tokens, (text) => heard.push(text))
    await gateway.subscribed()
    const told = () => {
      sso.announce(topics.tokens, 'revoked')
      return heard.length
    }
    await expect.poll(told).toBeGreaterThan(0)
  })

  test('whatever a captured cell asks, what services ask each other stays in their cell', async () => {
    const [captured, sso] = [await busOf('east', 'all'), await busOf('west', 'all')]
    await answering(sso, `${oidc.name}.handle`)
    await answering(sso, 'sso.personal_data.export')
    await expect.poll(() => ask(captured, `${oidc.name}.handle`).catch(() => '')).toBe('west x')
    await expect(ask(captured, 'sso.personal_data.export')).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('streams of a cell are in its own servers', async () => {
    const hooks = [await busOf('east', 'hooks'), await busOf('west', 'hooks')] as const
    for (const bus of hooks) await prepareStream(bus, 'domain')
    const all = [await busOf('east', 'all'), await busOf('west', 'all')] as const
    await all[0].store(subjectIn(all[0], 'domain', 'e'), Buffer.from('x'), 5_000)
    const messages = all.map(async (bus) => {
      const { streams } = await managerOf(bus)
      const found = []
      for await (const { config, state } of streams.list()) found.push([config.name, state.messages])
      return found
    })
    expect(await Promise.all(messages)).toEqual([[['east_domain', 1]], [['west_domain', 0]]])
  })
})
