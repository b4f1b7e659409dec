import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { findServer } from '@gatehouse/local/packages'
import { reservePort } from '@gatehouse/local/ports'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { StorageType } from '@nats-io/jetstream'
import { connect, type NatsConnection, headers as natsHeaders } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { codesOf, conflict, Fault, invalid } from '../declaring/faults.ts'
import { datetime, record, text as textField } from '../declaring/fields.ts'
import { messageOf } from '../declaring/messages.ts'
import { topic } from '../declaring/topic.ts'
import { managerOf } from '../events/streams.ts'
import { makeLog } from '../process/log.ts'
import { serveHealth } from '../serving/service.ts'
import type { Bus, BusOptions } from './bus.ts'
import { connectBus, natsOptions } from './connecting.ts'
import type { Meta, Reply } from './messages.ts'
import { newRequestId } from './request-ids.ts'

const log = makeLog('bus-test', 'silent')
const DEADLINE_MS = 20_000

/** A nats-server of our own, since a test kills it. */
const own = findServer('nats')

async function startNats(program: string, port: number): Promise<ChildProcess> {
  const child = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  for (let attempt = 0; attempt < 600; attempt++) {
    const ready = await connect({ servers: `127.0.0.1:${port}`, maxReconnectAttempts: 0 }).catch(() => undefined)
    if (ready) {
      await ready.close()
      return child
    }
    await pause(50)
  }
  throw new Error('nats-server did not start')
}

async function stopNats(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

let port: number
let servers: string
let server: ChildProcess | undefined
let raw: NatsConnection
let namespace: string
let count = 0
const open: Bus[] = []

async function bus(options: Partial<BusOptions> = {}): Promise<Bus> {
  const made = await connectBus({
    servers,
    namespace,
    name: 'bus-test',
    log,
    deadlineMs: DEADLINE_MS,
    ...options,
  })
  open.push(made)
  return made
}

/** A bus that answers `echo` with the body it got, and one that asks. */
async function pair(): Promise<{ service: Bus; client: Bus }> {
  const [service, client] = await Promise.all([bus(), bus()])
  service.serve('test.echo', 'test', async (_meta, body) => ({ body }))
  await service.flush()
  return { service, client }
}

const bytes = (text: string): Buffer => Buffer.from(text)
const text = (body: Uint8Array): string => Buffer.from(body).toString()
const things = topic('things')
const unavailable = expect.objectContaining({ code: 'unavailable' })

beforeAll(async () => {
  port = await reservePort()
  if (own) server = await startNats(own, port)
  servers = server ? `127.0.0.1:${port}` : inject('natsUrl')
  raw = await connect({ ...natsOptions(servers), maxReconnectAttempts: -1, reconnectTimeWait: 100 })
})

beforeEach(() => {
  namespace = `bus${count++}`
})

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()))
})

afterAll(async () => {
  await raw.close()
  if (server) await stopNats(server)
})

describe('the address of NATS', () => {
  test.each([
    ['127.0.0.1:4222', { servers: ['127.0.0.1:4222'] }],
    ['nats://nats.example', { servers: ['nats.example'] }],
    ['nats://ada:p%40ss%2C@a:1, nats://ada:p%40ss%2C@b:2', { servers: ['a:1', 'b:2'], user: 'ada', pass: 'p@ss,' }],
    ['tls://ada:p@a:1,tls://ada:p@b:2', { servers: ['a:1', 'b:2'], user: 'ada', pass: 'p', tls: {} }],
  ])('%s', (address, expected) => {
    expect(natsOptions(address)).toEqual(expected)
  })

  test.each([
    'http://',
    'nats://ada:hidden@',
    'nats://ada:hidden@a,nats://bob:hidden@b',
    'tls://ada:hidden@a,nats://ada:hidden@b',
    'hidden@',
    'nats://ada:hidden%@a',
  ])('%s is refused in one sentence, which does not repeat it', (address) => {
    expect(() => natsOptions(address)).toThrow(/^NATS_URL\b(?!.*hidden)/)
  })
})

describe('requests and replies', () => {
  test('a request arrives with its meta and body, and its reply comes back with its marks', async () => {
    const [service, client] = await Promise.all([bus(), bus()])
    service.serve('test.ask', 'test', async (meta, body) => ({
      body: bytes(JSON.stringify([meta.params, meta.query, meta.caller, meta.idempotency_key, text(body)])),
      status: 422,
      replayed: true,
    }))
    await service.flush()
    const caller = { account_id: 'a', token_id: 't', scope: 'door' as const }
    const meta = { params: { id: 'é\n' }, query: { page: '1' }, caller, idempotency_key: 'k' }
    const reply = await client.call('test.ask', meta, bytes('line\nline'))
    expect(JSON.parse(text(reply.body))).toEqual([meta.params, meta.query, caller, 'k', 'line\nline'])
    expect(reply).toMatchObject({ status: 422, replayed: true })
  })

  test('all that is sent in one turn arrives, each with its own answer', async () => {
    const { client } = await pair()
    const asked = Array.from({ length: 2_000 }, (_, index) => `body ${index}`)
    const replies = await Promise.all(asked.map((each) => client.call('test.echo', {}, bytes(each))))
    expect(replies.map(({ body }) => text(body))).toEqual(asked)
  })

  test('an empty body and an empty reply are bodies too', async () => {
    const { client } = await pair()
    expect((await client.call('test.echo', {})).body).toHaveLength(0)
  })

  test('the members of a queue share the requests, and each is served once', async () => {
    const client = await bus()
    const served = [0, 0]
    for (const index of [0, 1]) {
      const service = await bus()
      service.serve('test.count', 'test', async () => {
        served[index] = (served[index] ?? 0) + 1
        return { body: bytes('') }
      })
      await service.flush()
    }
    await Promise.all(Array.from({ length: 200 }, () => client.call('test.count', {})))
    const [first = 0, second = 0] = served
    expect(first + second).toBe(200)
    expect(Math.min(first, second)).toBeGreaterThan(0)
  })

  test('systems with other namespaces do not hear each other', async () => {
    await pair()
    const stranger = await bus({ namespace: `${namespace}-other` })
    await expect(stranger.call('test.echo', {})).rejects.toEqual(unavailable)
  })
})

describe('large bodies', () => {
  const size = 10 * 1024 * 1024

  test('10 MB travel in parts, both ways', slow, async () => {
    const { client } = await pair()
    const body = Buffer.alloc(size)
    for (let at = 0; at < size; at += 4) body.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
    const reply = await client.call('test.echo', {}, body)
    expect(reply.body.length).toBe(size)
    expect(Buffer.compare(reply.body, body)).toBe(0)
  })

  test('several at once do not mix, though two processes serve them', slow, async () => {
    const { client } = await pair()
    const second = await bus()
    second.serve('test.echo', 'test', async (_meta, body) => ({ body }))
    await second.flush()
    const bodies = Array.from({ length: 8 }, (_, index) => Buffer.alloc(3 * 1024 * 1024, index + 1))
    const replies = await Promise.all(bodies.map((body) => client.call('test.echo', { budget: 10_000 }, body)))
    for (const [index, reply] of replies.entries()) {
      expect(Buffer.compare(reply.body, bodies[index] as Buffer)).toBe(0)
    }
  })

  test('just around the size of a message nothing is lost', slow, async () => {
    const { client } = await pair()
    for (const length of [-4097, -4096, -4095, -1, 0, 1].map((difference) => 1_048_576 + difference)) {
      const reply = await client.call('test.echo', {}, Buffer.alloc(length, 7))
      expect(reply.body.length).toBe(length)
    }
  })

  test('a body that fills a message leaves room for a long query', async () => {
    const { client } = await pair()
    const meta = { query: { search: 'x'.repeat(30_000) } }
    const reply = await client.call('test.echo', meta, Buffer.alloc(1_048_576 - 4_200))
    expect(reply.body.length).toBe(1_048_576 - 4_200)
  })
})

describe('a request with a request_id', () => {
  const meta = () => ({ request_id: newRequestId(), budget: DEADLINE_MS })

  /** As many services, of which the first `hanging` to get a request never answer it; and which requests they got. */
  async function services(count: number, hanging: number): Promise<{ received: Meta[]; client: Bus }> {
    const received: Meta[] = []
    const [client, ...serving] = await Promise.all([bus(), ...Array.from({ length: count }, () => bus())])
    const answer = async (given: Meta, body: Uint8Array): Promise<Reply> => {
      if (received.push(given) <= hanging) await new Promise(() => {})
      return { body }
    }
    for (const each of serving) {
      each.serve('test.once', 'test', answer, { again: true })
      await each.flush()
      // What never answers must not keep it from stopping.
      open.splice(open.indexOf(each), 1)
    }
    return { received, client }
  }

  test('is answered by another process when the first one hangs, and only one more gets it', slow, async () => {
    const { received, client } = await services(5, 1)
    const given = meta()
    expect(text((await client.call('test.once', given, bytes('scan'))).body)).toBe('scan')
    expect(received.map(({ request_id }) => request_id)).toEqual([given.request_id, given.request_id])
  })

  test('goes to a third process when the second one hangs too, each with the time that is left', slow, async () => {
    const { received, client } = await services(3, 2)
    const body = Buffer.alloc(3 * 1024 * 1024, 7)
    expect(Buffer.compare((await client.call('test.once', meta(), body)).body, body)).toBe(0)
    const budgets = received.map(({ budget = 0 }) => budget)
    expect(budgets).toHaveLength(3)
    expect(budgets).toEqual(budgets.toSorted((one, other) => other - one))
  })

  test('reaches no second process when it is answered at once', async () => {
    const { received, client } = await services(3, 0)
    await Promise.all(Array.from({ length: 50 }, () => client.call('test.once', meta(), bytes('scan'))))
    expect(received).toHaveLength(50)
  })

  test('is answered by the first process if the second one cannot answer', slow, async () => {
    const [slow, client] = await Promise.all([bus(), bus()])
    const late = Promise.withResolvers<Reply>()
    let count = 0
    slow.serve(
      'test.once',
      'test',
      async () => {
        if (++count === 1) return late.promise
        setTimeout(() => late.resolve({ body: bytes('late') }))
        throw new Fault('unavailable')
      },
      { again: true },
    )
    await slow.flush()
    expect(text((await client.call('test.once', meta())).body)).toBe('late')
    expect(count).toBe(2)
  })

  test('is refused by whoever refuses it first, and fails at its deadline', async () => {
    const [service, client] = await Promise.all([bus(), bus()])
    let count = 0
    service.serve(
      'test.once',
      'test',
      async () => {
        if (++count === 2) throw invalid({ name: [messageOf('blank')] })
        return new Promise(() => {})
      },
      { again: true },
    )
    await service.flush()
    open.splice(open.indexOf(service), 1)
    await expect(client.call('test.once', meta())).rejects.toMatchObject({ code: 'invalid' })
    await expect(client.call('test.once', { ...meta(), budget: 1_500 })).rejects.toEqual(unavailable)
  })

  test(
    'is one of at most 64 that are at a second process at once, so that slow processes get no slower',
    slow,
    async () => {
      const { received, client } = await services(1, 1_000)
      const offered = new Set<string>()
      const calls = Array.from({ length: 100 }, () => client.call('test.once', { ...meta(), budget: 2_500 }))
      await Promise.allSettled(calls)
      const counts = Map.groupBy(received, ({ request_id = '' }) => request_id)
      for (const [id, times] of counts) if (times.length > 1) offered.add(id)
      expect(counts.size).toBe(100)
      expect(offered.size).toBeGreaterThan(0)
      expect(offered.size).toBeLessThanOrEqual(64)
    },
  )
})

describe('without an answer', () => {
  test('a call without a service fails at once', async () => {
    const client = await bus({ deadlineMs: 60_000 })
    await expect(client.call('test.nobody', {})).rejects.toEqual(unavailable)
    await expect(client.call('test.nobody', {}, bytes(''), true)).rejects.toEqual(unavailable)
  })

  test('a call fails at its deadline, and its late reply is dropped', async () => {
    const [service, client] = await Promise.all([bus(), bus()])
    const late = Promise.withResolvers<Reply>()
    service.serve('test.slow', 'test', () => late.promise)
    service.serve('test.echo', 'test', async (_meta, body) => ({ body }))
    await service.flush()
    await expect(client.call('test.slow', { budget: 200 })).rejects.toEqual(unavailable)
    late.resolve({ body: bytes('late') })
    // The late reply comes before this one.
    expect(text((await client.call('test.echo', {}, bytes('next'))).body)).toBe('next')
  })

  test('only an idempotent call is tried twice', slow, async () => {
    const [service, client] = await Promise.all([bus(), bus()])
    let tries = 0
    service.serve('test.second', 'test', async () => {
      tries++
      if (tries % 2 === 1) await new Promise(() => {})
      return { body: bytes('second') }
    })
    await service.flush()
    expect(text((await client.call('test.second', { budget: 8_000 }, bytes(''), true)).body)).toBe('second')
    expect(tries).toBe(2)
    await expect(client.call('test.second', { budget: 300 })).rejects.toEqual(unavailable)
    // It may have been given up before it arrived.
    await expect.poll(() => tries).toBe(3)
    // What never answers must not keep the service from stopping.
    open.splice(open.indexOf(service), 1)
  })

  test('a service that has too much in work refuses at once', async () => {
    const [service, client] = await Promise.all([bus({ maxInFlight: 2 }), bus()])
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    service.serve('test.busy', 'test', async () => {
      await released
      return { body: bytes('done') }
    })
    await service.flush()
    const [first, second, third] = [1, 2, 3].map(() => client.call('test.busy', {}))
    await expect(third).rejects.toEqual(unavailable)
    release()
    expect(await Promise.all([first, second])).toHaveLength(2)
  })

  test('a service at its maximum of concurrent requests still answers health checks and responders with always', async () => {
    const [service, client] = await Promise.all([bus({ maxInFlight: 1 }), bus()])
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const busy = async (): Promise<Reply> => {
      await released
      return { body: bytes('done') }
    }
    let isHealthy = true
    service.serve('test.busy', 'test', busy)
    service.serve('test.important', 'test', busy, { always: true })
    serveHealth(service, 'test', async () => {
      if (!isHealthy) throw new Error('the store is away')
    })
    await service.flush()
    const first = client.call('test.busy', {})
    await expect(client.call('test.busy', {})).rejects.toEqual(unavailable)
    const others = [client.call('test.important', {}), client.call('test.important', {})]
    expect(text((await client.call('test.health', {})).body)).toBe('{}')
    isHealthy = false
    await expect(client.call('test.health', {})).rejects.toEqual(unavailable)
    release()
    expect((await Promise.all([first, ...others])).map(({ body }) => text(body))).toEqual(['done', 'done', 'done'])
  })
})

describe('faults', () => {
  test('a fault arrives as it was thrown', async () => {
    const [service, client] = await Promise.all([bus(), bus()])
    service.serve('test.refuse', 'test', async () => {
      throw invalid({ last_name: [messageOf('blank'), messageOf('refused', { reason: 'é\r\nNats: x' })] })
    })
    service.serve('test.gone', 'test', () => {
      throw new Fault('conflict', 'It has\nguests 🎟')
    })
    service.serve('test.full', 'test', () => {
      throw conflict(messageOf('limit_reached', { limit: 9 }))
    })
    await service.flush()
    await expect(client.call('test.refuse', {})).rejects.toMatchObject({
      code: 'invalid',
      status: 422,
      errors: { last_name: ["can't be blank", 'was refused: é\r\nNats: x'] },
    })
    const { errors = {} } = (await client.call('test.refuse', {}).catch((fault) => fault)) as Fault
    expect(codesOf(errors)).toEqual({
      last_name: [{ code: 'blank' }, { code: 'refused', values: { reason: 'é\r\nNats: x' } }],
    })
    await expect(client.call('test.full', {})).rejects.toMatchObject({
      reason: { code: 'limit_reached', values: { limit: 9 } },
    })
    await expect(client.call('test.gone', {})).rejects.toMatchObject({ code: 'conflict', message: 'It has\nguests 🎟' })
  })

  test('an unexpected error tells nothing of itself', async () => {
    const [service, client] = await Promise.all([bus(), bus()])
    service.serve('test.broken', 'test', async () => {
      throw new Error('hunter2')
    })
    await service.flush()
    const error = await client.call('test.broken', {}).catch((each: Fault) => each)
    expect(error).toEqual(unavailable)
    expect(JSON.stringify([error, (error as Fault).message])).not.toContain('hunter2')
  })
})

describe('garbage never stops a process', () => {
  const payloads = [
    '',
    'null',
    '5',
    '[]',
    '"x"',
    '{',
    '\n\n',
    '\u0000',
    '{"parts":3}\nx',
    '{"parts":"x","budget":"y"}\n',
  ]

  test('on a subject that is served', async () => {
    const { client } = await pair()
    for (const payload of [...payloads.map(bytes), Buffer.from([0xff, 0xfe, 10, 0xff])]) {
      raw.publish(`${namespace}.test.echo`, payload)
      raw.publish(`${namespace}.test.echo`, payload, { reply: `${namespace}.nowhere` })
    }
    await raw.flush()
    expect(text((await client.call('test.echo', {}, bytes('still here'))).body)).toBe('still here')
  })

  test('an invalid request is answered as malformed', async () => {
    await pair()
    for (const payload of ['', 'null', '5', '[]', '{']) {
      const reply = await raw.request(`${namespace}.test.echo`, payload, { timeout: DEADLINE_MS })
      expect(reply.headers?.get('Nats-Service-Error')).toBe('malformed')
    }
  })

  test.each([
    ['params', { params: { id: { $ne: null } } }],
    ['params', { params: 'x' }],
    ['query', { query: null }],
    ['caller', { caller: { account_id: 1, token_id: 'x', scope: 'admin' } }],
    ['caller', { caller: { account_id: 'x', token_id: 'x', scope: 'toString' } }],
    ['caller', { caller: { account_id: 'x', token_id: 'x', scope: 'read', event_id: {} } }],
    ['caller', { caller: { account_id: 'x', token_id: 'x', scope: 'door', is_device: 'no' } }],
    ['actor', { actor: [] }],
    ['idempotency_key', { idempotency_key: {} }],
    ['traceparent', { traceparent: 5 }],
    ['budget', { budget: '5' }],
    ['budget', { budget: 1e300 }],
    ['parts', { parts: 1.5 }],
  ])('a request whose line has wrong %s is answered as malformed, and names them: %j', async (name, meta) => {
    await pair()
    const reply = await raw.request(`${namespace}.test.echo`, `${JSON.stringify(meta)}\n`, { timeout: DEADLINE_MS })
    expect(reply.json()).toMatchObject({ code: 'malformed', message: expect.stringContaining(name) })
  })

  test('a request whose line has fields that only a newer process knows is answered', async () => {
    await pair()
    const line = '{"__proto__":5,"toString":1,"newer":{}}'
    const reply = await raw.request(`${namespace}.test.echo`, `${line}\nx`, { timeout: DEADLINE_MS })
    expect(reply.string()).toBe('x')
  })

  test('an announcement that its listener cannot read', async () => {
    const listening = await bus()
    const heard: unknown[] = []
    listening.listen(things, (word) => heard.push(JSON.parse(word)))
    await listening.flush()
    for (const word of ['{', '5']) raw.publish(`${namespace}.changed.things`, word)
    await expect.poll(() => heard).toEqual([5])
  })

  test('in an inbox without a pending call', async () => {
    const inboxes = new Set<string>()
    const sniffer = raw.subscribe(`_INBOX.${namespace}.>`, {
      callback: (_error, message) => void inboxes.add(message.subject.slice(0, message.subject.lastIndexOf('.'))),
    })
    await raw.flush()
    const { client } = await pair()
    await client.call('test.echo', {}, bytes('x'))
    await raw.flush()
    sniffer.unsubscribe()
    expect(inboxes.size).toBe(1)
    for (const inbox of inboxes) {
      for (const id of ['0', 'zz', '__proto__']) for (const payload of payloads) raw.publish(`${inbox}.${id}`, payload)
    }
    await raw.flush()
    expect(text((await client.call('test.echo', {}, bytes('still here'))).body)).toBe('still here')
  })

  const replies: [string, Record<string, string>, string][] = [
    ['a fault that is no JSON', { 'Nats-Service-Error-Code': '404', 'Nats-Service-Error': 'x' }, 'oops'],
    ['a fault that is null', { 'Nats-Service-Error-Code': '404' }, 'null'],
    ['a fault with a code that nobody knows', { 'Nats-Service-Error-Code': '1' }, '{"code":"toString","message":"x"}'],
    ['parts that cannot be counted', { 'Gatehouse-Part': 'x/y' }, 'x'],
    ['a file whose head cannot be decoded', { 'Gatehouse-File': '%' }, 'x'],
    ['a part out of order', { 'Gatehouse-Part': '2/3' }, 'x'],
    ['a word to go on to a subject that is none', { 'Gatehouse-Continue': 'a b..c' }, ''],
  ]
  test.each(replies)('as a reply: %s', async (_what, headers, body) => {
    const client = await bus({ deadlineMs: 500 })
    const responder = raw.subscribe(`${namespace}.test.odd`, {
      callback: (_error, message) => {
        const set = natsHeaders()
        for (const [name, value] of Object.entries(headers)) set.set(name, value)
        message.respond(body, { headers: set })
      },
    })
    await raw.flush()
    await expect(client.call('test.odd', {}, Buffer.alloc(2 * 1024 * 1024))).rejects.toEqual(unavailable)
    responder.unsubscribe()
  })
})

describe('what a process may not say itself', () => {
  /** Publishes a message by `say`, and returns whether it arrives, before another message, at a subject that it names. */
  async function arrives(say: (subject: string) => Promise<void> | void): Promise<boolean> {
    const heard: string[] = []
    const subject = `${namespace}.sso.secret`
    raw.subscribe(subject, { callback: (_error, message) => void heard.push(message.string()) })
    await raw.flush()
    await say(subject)
    await raw.flush()
    return heard.length > 0
  }

  test('it cannot have a service say by a request whose reply goes elsewhere than to an inbox', async () => {
    const { service, client } = await pair()
    const arrived = await arrives(async (reply) => {
      raw.publish(`${namespace}.test.echo`, '{}\nforged', { reply })
      await raw.flush()
      await client.call('test.echo', {})
      await service.flush()
    })
    expect(arrived).toBe(false)
  })

  test('it cannot have a caller say by having the rest of a body sent elsewhere than to an inbox', async () => {
    const client = await bus({ deadlineMs: DEADLINE_MS })
    const arrived = await arrives(async (subject) => {
      raw.subscribe(`${namespace}.test.large`, {
        callback: (_error, message) => {
          const headers = natsHeaders()
          headers.set('Gatehouse-Continue', subject)
          message.respond('', { headers })
        },
      })
      await raw.flush()
      await expect(client.call('test.large', {}, Buffer.alloc(2 * 1024 * 1024))).rejects.toEqual(unavailable)
      await client.flush()
    })
    expect(arrived).toBe(false)
  })

  test('its bus refuses what it does not declare, before anything is sent', async () => {
    const [said, heard] = [topic('said'), topic('heard')]
    const permissions = { asks: ['test.echo'], announces: [said], listens: [heard] }
    const [service, client] = await Promise.all([bus(), bus({ name: 'leads', permissions })])
    service.serve('test.echo', 'test', async (_meta, body) => ({ body }))
    service.serve('test.other', 'test', async (_meta, body) => ({ body }))
    await service.flush()
    client.listen(heard, () => {})
    client.announce(said, '')
    expect(text((await client.call('test.echo', {}, bytes('x'))).body)).toBe('x')
    const refusal = (what: string) => `The permissions of leads do not declare that it ${what}`
    await expect(client.call('test.other', {})).rejects.toThrow(refusal('asks test.other'))
    expect(() => client.announce(heard, '')).toThrow(refusal('announces heard'))
    expect(() => client.listen(said, () => {})).toThrow(refusal('listens said'))
  })
})

describe('storing in a stream', () => {
  /** A connection to a server with JetStream, and the subject of a stream of its own. */
  async function stream(
    settings: object = {},
  ): Promise<{ client: Bus; subject: string; kept: () => Promise<string[]> }> {
    const client = await bus({ servers: inject('natsUrl'), namespace: `stored${crypto.randomUUID()}` })
    const subject = `${client.namespace}.things`
    const manager = await managerOf(client)
    const name = client.namespace
    await manager.streams.add({ name, subjects: [subject], storage: StorageType.Memory, ...settings })
    const kept = async (): Promise<string[]> => {
      const { state } = await manager.streams.info(name)
      const found = Array.from({ length: state.messages }, (_, index) =>
        manager.streams.getMessage(name, { seq: index + 1 }),
      )
      return (await Promise.all(found)).map((each) => each?.string() ?? '')
    }
    return { client, subject, kept }
  }

  test('is kept when that is said, in the order in which it was said', async () => {
    const { client, subject, kept } = await stream()
    const said = Array.from({ length: 20 }, (_, index) => `thing ${index}`)
    await Promise.all(said.map((each) => client.store(subject, bytes(each), DEADLINE_MS)))
    expect(await kept()).toEqual(said)
  })

  test('is kept once under one id, and twice without', async () => {
    const { client, subject, kept } = await stream()
    for (const id of ['a', 'a', 'b', undefined, undefined]) await client.store(subject, bytes(`${id}`), DEADLINE_MS, id)
    expect(await kept()).toEqual(['a', 'b', 'undefined', 'undefined'])
  })

  test('a stream that takes no more is unavailable', async () => {
    const { client, subject, kept } = await stream({ max_msgs: 1, discard: 'new' })
    await client.store(subject, bytes('first'), DEADLINE_MS)
    await expect(client.store(subject, bytes('second'), DEADLINE_MS)).rejects.toEqual(unavailable)
    expect(await kept()).toEqual(['first'])
  })

  test('is unavailable without a stream, or when another subscriber answers', async () => {
    const client = await bus()
    await expect(client.store(`${namespace}.nowhere`, bytes('x'), DEADLINE_MS)).rejects.toEqual(unavailable)
    for (const answer of ['', 'no JSON', '{}', '[]', '{"stream":"x","error":{"code":500}}']) {
      const subject = `${namespace}.odd${answer.length}`
      const subscription = raw.subscribe(subject, { callback: (_error, message) => void message.respond(answer) })
      await raw.flush()
      await expect(client.store(subject, bytes('x'), DEADLINE_MS)).rejects.toEqual(unavailable)
      subscription.unsubscribe()
    }
  })
})

describe('announcements', () => {
  test('an announcement before an answer arrives before it', async () => {
    const [service, client] = await Promise.all([bus(), bus()])
    const heard: string[] = []
    client.listen(things, (word) => heard.push(word))
    service.serve('test.change', 'test', async (_meta, body) => {
      service.announce(things, text(body))
      return { body: bytes('') }
    })
    await Promise.all([service.flush(), client.flush()])
    for (let round = 0; round < 200; round++) {
      await client.call('test.change', {}, bytes(String(round)))
      expect(heard.at(-1)).toBe(String(round))
    }
  })

  test('every listener hears it, and none of another topic', async () => {
    const [first, second] = await Promise.all([bus(), bus()])
    const heard: string[] = []
    first.listen(things, (word) => heard.push(`first ${word}`))
    second.listen(things, (word) => heard.push(`second ${word}`))
    second.listen(topic('others'), (word) => heard.push(`other ${word}`))
    await Promise.all([first.flush(), second.flush()])
    first.announce(things, 'é\n')
    await first.flush()
    await expect.poll(() => heard.toSorted()).toEqual(['first é\n', 'second é\n'])
  })

  test('a payload with a schema travels as JSON, and is heard as it was announced', async () => {
    const client = await bus()
    const dated = topic('dated', record({ id: textField(), at: datetime() }))
    const [heard, sent]: [object[], string[]] = [[], []]
    client.listen(dated, (payload) => heard.push(payload))
    raw.subscribe(`${namespace}.changed.dated`, { callback: (_error, message) => void sent.push(message.string()) })
    await Promise.all([client.flush(), raw.flush()])
    const payload = { id: 'é', at: new Date('2026-05-01T08:30:00.250Z') }
    client.announce(dated, payload)
    await client.flush()
    await expect.poll(() => [heard, sent]).toEqual([[payload], ['{"id":"é","at":"2026-05-01T08:30:00.250Z"}']])
  })

  test('a write is announced after it, also if it failed, with what follows from its result', async () => {
    const client = await bus()
    const heard: string[] = []
    client.listen(things, (word) => heard.push(word))
    await client.flush()
    const ofResult = (result: number | undefined) => `of ${result}`
    const write = Promise.withResolvers<number>()
    const announcing = client.announcing(things, ofResult, write.promise)
    client.announce(things, 'before')
    write.resolve(1)
    expect(await announcing).toBe(1)
    expect(await client.announcing(things, 'as it is', Promise.resolve(2))).toBe(2)
    const failed = client.announcing(things, ofResult, Promise.reject(new Error('full')))
    await expect(failed).rejects.toThrow('full')
    await client.flush()
    await expect.poll(() => heard).toEqual(['before', 'of 1', 'as it is', 'of undefined'])
  })
})

describe('the life of a connection', () => {
  test('a stop answers requests in work as long as their callers wait, and takes no more', async () => {
    const [service, client] = await Promise.all([bus({ deadlineMs: 1 }), bus()])
    const [begun, work] = [Promise.withResolvers<void>(), Promise.withResolvers<Reply>()]
    service.serve('test.work', 'test', () => {
      begun.resolve()
      return work.promise
    })
    await service.flush()
    const answer = client.call('test.work', {})
    await begun.promise
    const stopped = service.stop()
    // It takes no more, and waits for the one in work, whose caller has more time than a request of its own would have.
    await service.connection.flush()
    await pause(20)
    work.resolve({ body: Buffer.alloc(2 * 1024 * 1024) })
    expect((await answer).body.length).toBe(2 * 1024 * 1024)
    await stopped
    await expect(client.call('test.work', {})).rejects.toEqual(unavailable)
  })

  test('a stop ends the calls that still wait', async () => {
    const [service, client] = await Promise.all([bus(), bus()])
    service.serve('test.never', 'test', () => new Promise(() => {}))
    await service.flush()
    const call = client.call('test.never', { budget: 60_000 })
    const refused = expect(call).rejects.toEqual(unavailable)
    await client.flush()
    await client.stop()
    await refused
    open.splice(open.indexOf(service), 1)
  })

  test.skipIf(!own)('calls fail at once while NATS is away, and go on when it is back', slow, async () => {
    const { service, client } = await pair()
    service.serve('test.never', 'test', () => new Promise(() => {}))
    await service.flush()
    const heard: string[] = []
    let reconnected = 0
    client.listen(things, (word) => heard.push(word))
    client.onReconnect(() => reconnected++)
    await client.flush()
    const waiting = client.call('test.never', { budget: 60_000 })
    const refused = expect(waiting).rejects.toEqual(unavailable)
    await client.flush()

    await stopNats(server as ChildProcess)
    await refused
    await expect(client.call('test.echo', { budget: 60_000 })).rejects.toEqual(unavailable)

    server = await startNats(own as string, port)
    await expect.poll(() => reconnected).toBe(1)
    const again = async (): Promise<string> => text((await client.call('test.echo', {}, bytes('back'))).body)
    await expect.poll(() => again().catch(() => 'not yet')).toBe('back')
    service.announce(things, 'news')
    await expect.poll(() => heard).toContain('news')
    open.splice(open.indexOf(service), 1)
  })

  test('a process whose connection breaks while the server takes its subscriptions serves once it is back', async () => {
    const proxy = await proxyTo(servers.includes('://') ? servers : `nats://${servers}`)
    onTestFinished(() => proxy.close())
    const service = await bus({ servers: proxy.url })
    service.serve('test.echo', 'test', async (_meta, body) => ({ body }))
    proxy.freeze()
    const subscribed = service.subscribed()
    proxy.cut()
    proxy.thaw()
    proxy.mend()
    await subscribed
    const client = await bus()
    expect(text((await client.call('test.echo', {}, bytes('here'))).body)).toBe('here')
  })
})
