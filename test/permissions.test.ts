import { resources } from '@gatehouse/gateway/gateway'
import { SendQueue } from '@gatehouse/partners/send-queue'
import { connectBus, natsOptions } from '@gatehouse/proto/bus/connecting.ts'
import { AGAIN } from '@gatehouse/proto/bus/messages.ts'
import type { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import { natsPermissions } from '@gatehouse/proto/declaring/permissions/nats-permissions.ts'
import { askedSubjects, type StreamPermissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Topic } from '@gatehouse/proto/declaring/topic.ts'
import { managerOf } from '@gatehouse/proto/events/streams.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import * as ssoTopics from '@gatehouse/sso/topics'
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cellData } from '../cli/permissions.ts'
import { type BusUser, busUsers, natsUsersOf } from '../services/bus-users.ts'
import { serviceNames } from '../services/services.ts'
import { natsServer, type OwnNats, startNats } from './harness/own-nats.ts'
import { startSystem } from './harness/system.ts'
import { slow } from './rounds.ts'

const NAMESPACE = 'permitted'
const userNames = Object.keys(busUsers) as BusUser[]
const passwordOf = (user: string): string => `${user}-password`

/** Every action, without the namespace. */
const actions = [
  ...[...resources, ...cellData].flatMap((resource) =>
    Object.entries(resource.actions).flatMap(([name, { recognisesRequests }]) => {
      const subject = subjectOf(resource, name)
      return recognisesRequests ? [subject, subject + AGAIN] : [subject]
    }),
  ),
  ...serviceNames.map((name) => `${name}.health`),
  'hooks.wanted',
]
const topics = [
  ...new Set(Object.values(busUsers).flatMap(({ announces = [], listens = [] }) => [...announces, ...listens])),
]

describe.skipIf(!natsServer)('what NATS lets a process do', () => {
  let nats: OwnNats
  const urlOf = (user: string): string => `nats://${user}:${passwordOf(user)}@${nats.host}`
  const connections: NatsConnection[] = []

  beforeAll(async () => {
    const users = Object.entries(natsUsersOf(NAMESPACE)).map(([name, permissions]) => ({
      name,
      password: JSON.stringify(passwordOf(name)),
      permissions,
    }))
    const everything = { name: 'test', password: JSON.stringify(passwordOf('test')) }
    nats = await startNats(natsConfiguration([...users, everything]))
  })
  afterAll(async () => {
    await Promise.all(connections.map((each) => each.close()))
    await nats?.stop()
  })

  /** Does something on the connection of a user, and returns the subjects that NATS refuses, without the namespace. */
  async function refused(user: BusUser, work: (connection: NatsConnection) => void): Promise<string[]> {
    const connection = await connect({ ...natsOptions(urlOf(user)), reconnect: false })
    connections.push(connection)
    const found: string[] = []
    const noting = (async () => {
      for await (const status of connection.status()) {
        if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue
        found.push(status.error.subject.replace(`${NAMESPACE}.`, ''))
      }
    })()
    work(connection)
    await connection.flush()
    await connection.close()
    await noting
    return found.toSorted()
  }

  const publishing =
    (subjects: string[]) =>
    (connection: NatsConnection): void => {
      for (const subject of subjects) connection.publish(`${NAMESPACE}.${subject}`, '{}')
    }
  const subscribing =
    (subjects: string[]) =>
    (connection: NatsConnection): void => {
      // Without a callback an error would be thrown into an iterator that nobody reads.
      for (const subject of subjects) connection.subscribe(subject, { callback: () => {} })
    }

  describe.each(userNames)('%s', (user) => {
    const { announces = [], listens = [] } = busUsers[user]

    test('can ask what it declares, and nothing else', async () => {
      const asked = askedSubjects(busUsers[user])
      const others = actions.filter((each) => !asked.includes(each))
      expect(await refused(user, publishing(actions))).toEqual(others.toSorted())
    })

    test('can announce and listen to the topics that it declares, and to no others', async () => {
      const changed = topics.map(({ name }) => `changed.${name}`)
      const beyond = (declared: readonly Topic[]) =>
        changed.filter((each) => !declared.some(({ name }) => each === `changed.${name}`)).toSorted()
      expect(await refused(user, publishing(changed))).toEqual(beyond(announces))
      expect(await refused(user, subscribing(changed.map((each) => `${NAMESPACE}.${each}`)))).toEqual(beyond(listens))
    })

    test('can neither hear what another is asked nor what another is answered', async () => {
      const others = [...userNames.filter((each) => each !== user), 'stranger']
      const heard = others.flatMap((each) => [`${NAMESPACE}.${each}.>`, `_INBOX.${NAMESPACE}.${each}.>`])
      const all = [...heard, '>', '*.>', `${NAMESPACE}.>`, '_INBOX.>', `_INBOX.${NAMESPACE}.>`, '$JS.>', '$SYS.>']
      const expected = all.map((subject) => subject.replace(`${NAMESPACE}.`, ''))
      expect(await refused(user, subscribing(all))).toEqual(expected.toSorted())
      const own = [`${NAMESPACE}.${user}.>`, `_INBOX.${NAMESPACE}.${user}.x.*`]
      expect(await refused(user, subscribing(own))).toEqual([])
    })

    test('can neither change, empty nor read a stream that it does not declare', async () => {
      const { streams = [] } = busUsers[user]
      const verbs = ['STREAM.CREATE', 'STREAM.INFO', 'STREAM.UPDATE', 'STREAM.PURGE', 'STREAM.DELETE', 'STREAM.MSG.GET']
      const names = ['domain', 'live', 'badges', 'mail', 'other']
      const requests = names.flatMap((name) => [
        ...verbs.map((verb) => `$JS.API.${verb}.${NAMESPACE}_${name}`),
        ...['CREATE', 'MSG.NEXT', 'DELETE'].map((verb) => `$JS.API.CONSUMER.${verb}.${NAMESPACE}_${name}.spy`),
        `$JS.ACK.${NAMESPACE}_${name}.spy.1.1.1.1.0`,
      ])
      const own = streams.flatMap((each: StreamPermissions) =>
        [
          ...(each.creates ? ['STREAM.CREATE', 'STREAM.INFO'] : []),
          ...(each.reads || each.consumes ? ['STREAM.INFO'] : []),
          ...(each.consumes || each.gets ? ['STREAM.MSG.GET'] : []),
          // The gateway makes consumers of its own, but of one event each.
          ...(each.reads ? ['CONSUMER.MSG.NEXT', 'CONSUMER.DELETE'] : []),
        ].map((verb) => `$JS.API.${verb}.${NAMESPACE}_${each.stream}${verb.startsWith('CONSUMER') ? '.spy' : ''}`),
      )
      const found = await refused(user, (connection) => {
        for (const request of [...requests, '$JS.API.INFO', '$JS.API.STREAM.NAMES']) connection.publish(request, '')
      })
      const expected = [...requests, '$JS.API.INFO', '$JS.API.STREAM.NAMES'].filter((each) => !own.includes(each))
      expect(found).toEqual(expected.toSorted())
    })
  })

  test('a call that NATS refuses fails at once, and is logged once', async () => {
    const lines: string[] = []
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) })
    const stolen = await connectBus({
      servers: urlOf('leads'),
      namespace: NAMESPACE,
      name: 'leads',
      log,
      deadlineMs: 60_000,
    })
    for (let attempt = 0; attempt < 3; attempt++) {
      const call = stolen.call('sso.tokens.create', { caller: { account_id: 'a', token_id: 't', scope: 'admin' } })
      await expect(call).rejects.toMatchObject({ code: 'unavailable' })
    }
    for (const event_id of ['6b068db94f458c5ad79c06cc', '6b068db94f458c5ad79c06cd']) {
      const stored = stolen.store(`${NAMESPACE}.live.${event_id}`, Buffer.from('x'), 60_000)
      await expect(stored).rejects.toMatchObject({ code: 'unavailable' })
    }
    stolen.announce(ssoTopics.tokens, '')
    await stolen.flush()
    await stolen.stop()
    expect(lines.map((line) => JSON.parse(line).subject.replace(`${NAMESPACE}.`, ''))).toEqual([
      'sso.tokens.create',
      'live.*',
      'changed.tokens',
    ])
  })

  test.each([
    ['under the name of another', 'guests', /^NATS_URL: its user may not subscribe to _INBOX\.permitted\.guests\./],
    ['in another system', 'leads', /^NATS_URL: its user may not subscribe to _INBOX\.other\.leads\./],
  ])('a process %s does not start, and says why', async (_how, name, reason) => {
    const namespace = name === 'leads' ? 'other' : NAMESPACE
    const log = makeLog('test', 'silent')
    await expect(connectBus({ servers: urlOf('leads'), namespace, name, log })).rejects.toThrow(reason)
  })

  test('a service does not say that it is ready when NATS lets it not serve', async () => {
    const bus = await connectBus({
      servers: urlOf('leads'),
      namespace: NAMESPACE,
      name: 'leads',
      log: makeLog('test', 'silent'),
    })
    bus.serve('sso.tokens.resolve', 'sso', async () => ({ body: Buffer.from('[]') }))
    await expect(bus.subscribed()).rejects.toThrow(
      'NATS_URL: its user may not subscribe to permitted.sso.tokens.resolve',
    )
    await bus.stop()
  })

  test('rewritten users hold for running processes once NATS has reloaded them', async () => {
    const usersWith = (...asks: string[]) =>
      natsConfiguration(
        Object.entries({ leads: { asks }, guests: { asks: [] } }).map(([name, permissions]) => ({
          name,
          password: JSON.stringify(passwordOf(name)),
          permissions: natsPermissions(name, permissions, NAMESPACE),
        })),
      )
    const own = await startNats(usersWith())
    const open = (name: string) => {
      const servers = `nats://${name}:${passwordOf(name)}@${own.host}`
      return connectBus({ servers, namespace: NAMESPACE, name, log: makeLog('test', 'silent') })
    }
    const [leads, guests] = [await open('leads'), await open('guests')]
    onTestFinished(async () => {
      await Promise.all([leads.stop(), guests.stop()])
      await own.stop()
    })
    guests.serve('guests.guests.new_action', 'guests', async () => ({ body: Buffer.from('{}') }))
    await guests.subscribed()
    const answer = () =>
      leads.call('guests.guests.new_action', {}).then(
        () => 'answered',
        ({ code }: Fault) => code,
      )
    expect(await answer()).toBe('unavailable')
    await own.reload(usersWith('guests.guests.new_action'))
    await expect.poll(answer).toBe('answered')
  })

  test('JetStream cannot bring to a service what a user may not ask it', async () => {
    const log = makeLog('test', 'silent')
    const connect = (name: BusUser) => connectBus({ servers: urlOf(name), namespace: NAMESPACE, name, log })
    const [mail, partners] = [await connect('mail'), await connect('partners')]
    const asked: string[] = []
    partners.serve('partners.partners.create', 'partners', async (_meta, body) => {
      asked.push(Buffer.from(body).toString())
      return { body }
    })
    await partners.subscribed()
    await new SendQueue(mail).consumer()
    await mail.store(`${NAMESPACE}.work.mail.forged`, Buffer.from('{"caller":{"scope":"admin"}}\nforged'), 10_000)
    mail.connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${NAMESPACE}_mail.workers`, '{"batch":1}', {
      reply: `${NAMESPACE}.partners.partners.create`,
    })
    await mail.flush()
    // The message has been delivered, to the service.
    const manager = await managerOf(mail)
    await expect
      .poll(async () => (await manager.consumers.info(`${NAMESPACE}_mail`, 'workers')).num_ack_pending)
      .toBe(1)
    await partners.flush()
    expect(asked).toEqual([])
    await Promise.all([mail.stop(), partners.stop()])
  })

  test('each process subscribes to what it declares and serves, and to nothing else', slow, async () => {
    const system = await startSystem({
      with: 'all',
      natsUrlOf: urlOf,
      namespace: NAMESPACE,
      mail: { mail_folder: '/tmp', mail_from: 'a@example.org' },
    })
    const subscriptions = async (user: string): Promise<string[]> => {
      const answer = await fetch(`${nats.monitoring}/connz?subs=1&auth=1`)
      const { connections } = (await answer.json()) as {
        connections: { authorized_user: string; subscriptions_list: string[] }[]
      }
      const found = connections
        .filter(({ authorized_user }) => authorized_user === user)
        .flatMap((each) => each.subscriptions_list)
      return [...new Set(found.filter((subject) => !subject.startsWith('_INBOX.')))].toSorted()
    }
    onTestFinished(() => system.stop())
    for (const user of userNames) {
      const served = actions.filter((subject) => subject.startsWith(`${user}.`))
      const listened = (busUsers[user].listens ?? []).map(({ name }) => `changed.${name}`)
      const expected = [...served, ...listened].map((subject) => `${NAMESPACE}.${subject}`).toSorted()
      await expect.poll(() => subscriptions(user)).toEqual(expected)
    }
  })
})
