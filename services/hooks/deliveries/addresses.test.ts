import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import type { LookupFunction } from 'node:net'
import { isRefused } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicLookup, REFUSED_ADDRESS } from './addresses.ts'
import { WebhookClient } from './webhook-client.ts'

describe('addresses that no hook reaches', () => {
  test.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '[::1]']],
    ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1']],
    ['link-local', ['169.254.169.254', 'fe80::1']],
    ['carriers’ own networks', ['100.64.0.1', '100.127.255.255']],
    ['unique local and site-local', ['fc00::1', 'fd12:3456::1', 'fec0::1']],
    ['multicast and broadcast', ['224.0.0.1', '239.1.1.1', '255.255.255.255', 'ff02::1']],
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['IPv4 inside IPv6', ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '2002:7f00:1::', '2001:0:7f00:1::']],
    ['NAT64', ['64:ff9b::7f00:1', '64:ff9b:1::a00:1']],
    [
      'documentation, measurements and what is reserved',
      ['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '192.0.0.1', '2001:db8::1', '100::1'],
    ],
    [
      'names that always lead to this machine',
      ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.'],
    ],
  ])('%s', (_, addresses) => {
    for (const address of addresses) expect(isRefused(address), address).toBe(true)
  })

  test('public addresses are permitted, and names before they are resolved', () => {
    for (const host of [
      '8.8.8.8',
      '1.1.1.1',
      '172.15.0.1',
      '172.32.0.1',
      '2606:4700::1111',
      'example.org',
      'localhost.example.org',
      'mylocalhost',
    ]) {
      expect(isRefused(host), host).toBe(false)
    }
  })
})

describe('names', () => {
  /** The name server's answers; it does not answer for other names. */
  const names: Record<string, string[]> = {
    'one.example': ['8.8.8.8'],
    'both.example': ['8.8.8.8', '1.1.1.1'],
    'inside.example': ['8.8.8.8', '10.0.0.1'],
    'empty.example': [],
  }
  const server = createSocket('udp4')
  let lookup: LookupFunction

  beforeAll(async () => {
    server.on('message', (question, from) => {
      const answer = answerTo(question, names)
      if (answer) server.send(answer, from.port, from.address)
    })
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    resolver.setServers([`127.0.0.1:${server.address().port}`])
    lookup = publicLookup(resolver)
  })
  afterAll(() => {
    server.close()
  })

  const lookUp = (name: string, options = {}) =>
    new Promise((resolve) => lookup(name, options, (error, ...found) => resolve(error ?? found)))

  test('a name with public addresses only is resolved to them', async () => {
    expect(await lookUp('one.example')).toEqual(['8.8.8.8', 4])
    const both = ['8.8.8.8', '1.1.1.1'].map((address) => ({ address, family: 4 }))
    expect(await lookUp('both.example', { all: true })).toEqual([both])
  })

  test.each(['inside.example', 'localhost', 'LOCALHOST', 'a.localhost', 'localhost.'])(
    'one of whose addresses one is not public is refused: %s',
    async (name) => {
      for (const options of [{}, { all: true }])
        expect(await lookUp(name, options)).toMatchObject({ code: REFUSED_ADDRESS })
    },
  )

  test('a name without an address is an error', async () => {
    expect(await lookUp('empty.example')).toBeInstanceOf(Error)
  })

  test('names that the name server does not answer do not delay others', slow, async () => {
    const silent = Array.from({ length: 50 }, (_, index) => lookUp(`silent-${index}.example`))
    const isFirst = await Promise.race([
      lookUp('one.example').then(() => true),
      ...silent.map((each) => each.then(() => false)),
    ])
    expect(isFirst).toBe(true)
    expect(await silent[0]).toMatchObject({ code: 'ETIMEOUT' })
  })

  /** A DNS answer (RFC 1035) with the IPv4 addresses of a name; undefined for an unknown name. */
  function answerTo(question: Buffer, known: Record<string, string[]>): Buffer | undefined {
    const labels: string[] = []
    let at = 12
    for (; question[at]; at += 1 + (question[at] as number)) {
      labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] as number)))
    }
    const addresses = known[labels.join('.')]
    if (!addresses) return undefined
    const isOfIPv4 = question.readUInt16BE(at + 1) === 1
    const records = isOfIPv4 ? addresses : []
    const head = Buffer.from(question.subarray(0, at + 5))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(records.length, 6)
    head.fill(0, 8, 12)
    // Each record refers to the name in the question.
    const answers = records.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
    )
    return Buffer.concat([head, ...answers])
  }
})

describe('a webhook client', () => {
  test.each([
    'http://127.0.0.1:9/',
    'http://10.0.0.1/',
    'http://[::1]:9/',
    'http://[::ffff:127.0.0.1]:9/',
    'http://2130706433:9/',
    'http://0x7f.1:9/',
    'http://localhost:9/',
    'https://localhost:9/',
  ])('sends nothing to %s', async (url) => {
    const client = new WebhookClient(false, 5_000)
    expect(await client.post(url, {}, '{}')).toEqual({ response_status: null, error: REFUSED_ADDRESS })
    await client.close()
  })

  test('reports a code and never the address if it cannot connect', async () => {
    const client = new WebhookClient(true, 5_000)
    const outcome = await client.post('http://127.0.0.1:1/?secret=x', {}, '{}')
    expect(outcome).toEqual({ response_status: null, error: 'ECONNREFUSED' })
    await client.close()
  })
})
