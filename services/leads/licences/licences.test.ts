import { createHmac } from 'node:crypto'
import { events } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import { type Answer, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { apps } from '../resources.ts'

const system = await startSystem({ with: ['leads'] })
const testEvent = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
const token = (await testEvent.make('exhibitors.json', { name: 'Acme' })).access_token
const first = await clientOf(system.bus, apps).register({ body: { name: 'Scanner' } })
const second = await clientOf(system.bus, apps).register({ body: { name: 'Reader & co' } })
afterAll(() => system.stop())

/** As an app signs: the key is its secret with the event's id behind it. */
const signed = (secret: string, event = testEvent.id, access_token = token): string =>
  createHmac('sha256', secret + event)
    .update(access_token)
    .digest('hex')
const activate = (body: unknown, suffix = '.json', access_token = token, event = testEvent.id): Promise<Answer> =>
  system.api('PUT', `events/${event}/exhibitors/${access_token}/activate_license${suffix}`, body, {
    token: '',
    ...(suffix === '.xml' && { headers: { 'content-type': 'application/xml' } }),
  })

describe('licences', () => {
  test('a valid signature is answered 200 with the key, the IV and the name of the app that signed', async () => {
    const { key, iv } = await clientOf(system.bus, events).ciphering({ body: { event_id: testEvent.id } })
    for (const app of [first, second]) {
      const { status, body } = await activate({ signature: signed(app.signing_secret) })
      expect(status).toBe(200)
      expect(body).toEqual({
        qr_code_ciphering_enabled: true,
        qr_code_ciphering_key: key,
        qr_code_ciphering_iv: iv,
        app: app.name,
      })
    }
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32)
  })

  test('where codes are not ciphered, key and IV are null', async () => {
    const plain = await TestEvent.open(system)
    const { access_token } = await plain.make('exhibitors.json', { name: 'Acme' })
    const signature = signed(first.signing_secret, plain.id, access_token)
    const { status, body } = await activate({ signature }, '.json', access_token, plain.id)
    expect([status, body]).toEqual([
      200,
      { qr_code_ciphering_enabled: false, qr_code_ciphering_key: null, qr_code_ciphering_iv: null, app: 'Scanner' },
    ])
    const xml = await activate(`<x><signature>${signature}</signature></x>`, '.xml', access_token, plain.id)
    expect(xml.text).toContain('<qr-code-ciphering-key nil="true"/><qr-code-ciphering-iv nil="true"/>')
  })

  test('any other signature is 401, in JSON and XML, and says nothing', async () => {
    const right = signed(first.signing_secret)
    const other = await TestEvent.open(system)
    const wrong = [
      right.toUpperCase(),
      right.slice(0, -1),
      `${right}0`,
      right.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      right.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      '0'.repeat(64),
      'é'.repeat(32),
      'x',
      signed('not a secret'),
      signed(first.signing_secret, other.id),
      signed(first.signing_secret, testEvent.id, 'another token'),
      createHmac('sha256', first.signing_secret).update(token).digest('hex'),
      createHmac('sha256', testEvent.id + first.signing_secret)
        .update(token)
        .digest('hex'),
      createHmac('sha256', first.signing_secret + testEvent.id)
        .update(token)
        .digest('base64'),
    ]
    for (const signature of wrong) {
      const answer = await activate({ signature })
      expect([answer.status, Object.keys(answer.body)], signature).toEqual([401, ['error']])
    }
    const xml = await activate('<license><signature>x</signature></license>', '.xml')
    expect([xml.status, xml.text]).toEqual([401, expect.stringContaining('<errors><error>')])
    expect(xml.text).not.toContain('Scanner')
  })

  test('an unknown or rolled access token, and an exhibitor of another event, are 401 though the signature fits', async () => {
    const other = await TestEvent.open(system)
    const rolled = await other.make('exhibitors.json', { name: 'Rolled' })
    await other.api('POST', `exhibitors/${rolled._id}/roll_token.json`)
    for (const [event, access_token] of [
      [testEvent.id, 'gh_exhibitor_unknown'],
      [other.id, token],
      [other.id, rolled.access_token],
      ['f'.repeat(24), token],
      ['nonsense', token],
    ] as const) {
      const signature = signed(first.signing_secret, event, access_token)
      expect((await activate({ signature }, '.json', access_token, event)).status).toBe(401)
    }
  })

  test('without a signature it is 422 on signature', async () => {
    for (const body of [{}, { signature: '' }, { signature: null }, { signature: [] }]) {
      const answer = await activate(body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['signature']])
    }
  })

  test('a revoked app is 401 at once; the others stay', async () => {
    const client = clientOf(system.bus, apps)
    const brief = await client.register({ body: { name: 'Brief' } })
    expect((await activate({ signature: signed(brief.signing_secret) })).status).toBe(200)
    expect((await client.list({ body: {} })).map(({ name }) => name)).toEqual(['Scanner', 'Reader & co', 'Brief'])
    await client.revoke({ body: { app_id: brief._id } })
    expect((await activate({ signature: signed(brief.signing_secret) })).status).toBe(401)
    expect((await activate({ signature: signed(second.signing_secret) })).status).toBe(200)
    await expect(client.revoke({ body: { app_id: brief._id } })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a name registered again is another app, with a secret of its own', async () => {
    const client = clientOf(system.bus, apps)
    const [one, two] = [
      await client.register({ body: { name: 'Twin' } }),
      await client.register({ body: { name: 'Twin' } }),
    ]
    expect(one.signing_secret).not.toBe(two.signing_secret)
    for (const { signing_secret } of [one, two]) {
      expect((await activate({ signature: signed(signing_secret) })).body.app).toBe('Twin')
    }
  })

  test('a registration that is tried again after its answer was lost is the same app with the same secret', async () => {
    const register = () =>
      clientOf(system.bus, apps).register({ body: { name: 'Again' }, idempotency_key: 'the same registration' })
    const app = await register()
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    await mongo.db(`${system.namespace}_leads`).collection('idempotency_keys').deleteMany({})
    await mongo.close()
    expect(await register()).toEqual(app)
  })

  test('secrets are 256 bits, and lie sealed', async () => {
    expect(Buffer.from(first.signing_secret, 'base64url')).toHaveLength(32)
    const stored = await storedText(inject('mongodbUrl'), system.namespace)
    expect(stored).toContain('Scanner')
    for (const { signing_secret } of [first, second]) expect(stored).not.toContain(signing_secret)
  })
})
