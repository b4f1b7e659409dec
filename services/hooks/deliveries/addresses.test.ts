import { describe, expect, test } from 'vitest'
import { isRefused, lookupPublic, REFUSED_ADDRESS } from './addresses.ts'
import { Sender } from './sender.ts'

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
  ])('%s', (_, addresses) => {
    for (const address of addresses) expect(isRefused(address), address).toBe(true)
  })

  test('public ones are none of them, nor are names', () => {
    for (const host of [
      '8.8.8.8',
      '1.1.1.1',
      '172.15.0.1',
      '172.32.0.1',
      '2606:4700::1111',
      'example.org',
      'localhost',
    ]) {
      expect(isRefused(host), host).toBe(false)
    }
  })
})

describe('names', () => {
  test.each([{}, { all: true }])('one that leads to loopback is refused (%o)', async (options) => {
    const error = await new Promise((resolve) => lookupPublic('localhost', options, resolve))
    expect(error).toMatchObject({ code: REFUSED_ADDRESS })
  })
})

describe('a sender', () => {
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
    const sender = new Sender(false, 5_000)
    expect(await sender.post(url, {}, '{}')).toEqual({ error: REFUSED_ADDRESS })
    await sender.close()
  })

  test('says a code and never the address when it can not connect', async () => {
    const sender = new Sender(true, 5_000)
    expect(await sender.post('http://127.0.0.1:1/?secret=x', {}, '{}')).toEqual({ error: 'ECONNREFUSED' })
    await sender.close()
  })
})
