import { createDecipheriv, createHmac } from 'node:crypto'
import { events, printedFields } from '@gatehouse/guests/resources'
import { apps } from '@gatehouse/leads/resources'
import { clientOf, requesterFor } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { deciphered } from '@gatehouse/proto/formats/ciphered-codes.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Ciphering, Printed } from '../guests.ts'
import { contentOf } from './content.ts'
import { qrCodes } from './resource.ts'

const system = await sharedSystem()

const NOT_CIPHERED: Ciphering = { enabled: false, for_devices: false, key: null, iv: null }

/** The fields of a MeCard by their keys. */
function parse(mecard: string): Record<string, string> {
  expect(mecard).toMatch(/^MECARD:UID:.*;;$/)
  const fields = mecard.slice('MECARD:'.length, -1).match(/[A-Z]+:(?:\\.|[^\\;])*;/g) ?? []
  return Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon), field.slice(colon + 1, -1).replace(/\\(.)/g, '$1')]
    }),
  )
}

async function scan(url: string): Promise<string> {
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('image/png')
  const { data, width, height } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()))
  // jsQR is CommonJS, so its function is the default export of its default export.
  const read = (jsqr as unknown as typeof jsqr.default)(new Uint8ClampedArray(data), width, height)
  return Buffer.from(read?.binaryData ?? []).toString()
}

describe('a guest’s QR code', () => {
  let testEvent: TestEvent
  const card = { badge_ecard_in_qr_code_enabled: true }
  const ada = {
    first_name: 'Ada',
    last_name: 'Lovelace; Countess, née \\Byron:',
    email: 'ada@example.org',
    company_name: 'Analytical Engines 解析',
    position: 'Poet',
    phone_number: '+44 20 1234',
    uid: 'ada;1815',
  }
  const cardOf = (UID: string) => ({
    UID,
    N: 'Lovelace; Countess, née \\Byron:,Ada',
    EMAIL: ada.email,
    ORG: ada.company_name,
    TITLE: ada.position,
    TEL: ada.phone_number,
  })

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
  })

  async function guest(category: object, fields: object): Promise<{ _id: string; qrcode_url: string }> {
    const { _id } = await testEvent.make('guest_categories.json', { name: 'VIP', ...category })
    return testEvent.make('guests.json', { guest_category_id: _id, ...fields })
  }

  async function cipher(qr_code_ciphering_enabled: boolean): Promise<void> {
    const answer = await system.api('PUT', `events/${testEvent.id}.json`, { qr_code_ciphering_enabled })
    expect(answer.status, answer.text).toBe(204)
  }

  test('has the fields that the category enables, and can be scanned from its PNG', slow, async () => {
    const whole = await guest(card, ada)
    expect(parse(await scan(whole.qrcode_url))).toEqual(cardOf('ada;1815'))
    const bare = await guest({}, { ...ada, uid: 'ada-2' })
    expect(await scan(bare.qrcode_url)).toBe('MECARD:UID:ada-2;;')
    const sparse = await guest(card, { last_name: 'Babbage', uid: 'charles' })
    expect(await scan(sparse.qrcode_url)).toBe('MECARD:UID:charles;N:Babbage;;')
  })

  /** Activates an app’s licence as a device does, and returns the answer. */
  async function licence(): Promise<{ qr_code_ciphering_key: string; qr_code_ciphering_iv: string }> {
    const { access_token } = await testEvent.make('exhibitors.json', { name: 'Acme' })
    const { signing_secret } = await clientOf(system.bus, apps).register({ body: { name: 'Scanner' } })
    const signature = createHmac('sha256', signing_secret + testEvent.id)
      .update(access_token)
      .digest('hex')
    const path = `exhibitors/${access_token}/activate_license.json`
    const { status, body } = await testEvent.api('PUT', path, { signature }, { token: '' })
    expect([status, body.qr_code_ciphering_enabled]).toEqual([200, true])
    return body
  }

  test('is ciphered while the event ciphers: a device deciphers it with the key of its licence', slow, async () => {
    const { _id, qrcode_url } = await guest(card, { ...ada, uid: 'ada-3' })
    const plain = await scan(qrcode_url)
    await cipher(true)
    const { qr_code_ciphering_key, qr_code_ciphering_iv } = await licence()
    const ciphered = await scan(qrcode_url)
    expect(ciphered).toMatch(/^E:[A-Za-z0-9+/]+=*$/)
    const [key, iv] = [qr_code_ciphering_key, qr_code_ciphering_iv].map((each) => Buffer.from(each, 'base64'))
    const decipher = createDecipheriv('aes-256-cbc', key as Buffer, iv as Buffer)
    const bytes = Buffer.from(ciphered.slice(2), 'base64')
    expect(parse(Buffer.concat([decipher.update(bytes), decipher.final()]).toString())).toEqual(cardOf('ada-3'))
    await cipher(false)
    expect(await scan(qrcode_url)).toBe(plain)
    expect((await testEvent.api('GET', `guests/${_id}.json?qrcode_url=true`)).body.qrcode_url).toBe(qrcode_url)
  })

  test('is deciphered by the server for the door, only by the key of its own event', async () => {
    const decipher = (of: TestEvent, content: string) =>
      of.api('GET', `deciphered_qr_code.json?content=${encodeURIComponent(content)}`)
    const { qrcode_url } = await guest({}, { uid: 'ada-4' })
    await cipher(true)
    const ciphered = await scan(qrcode_url)
    const elsewhere = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
    expect((await decipher(testEvent, ciphered)).body).toEqual({ content: 'MECARD:UID:ada-4;;' })
    expect((await decipher(testEvent, 'MECARD:UID:x;;')).body).toEqual({ content: 'MECARD:UID:x;;' })
    const refused = { errors: { content: ['is not a QR code for this event'] } }
    for (const [of, content] of [
      [elsewhere, ciphered],
      [await TestEvent.open(system), ciphered],
      [testEvent, `${ciphered.slice(0, -8)}AAAAAAA=`],
      [testEvent, 'E:'],
      [testEvent, 'E:x'],
    ] as const) {
      const { status, body } = await decipher(of, content)
      expect([status, body]).toEqual([422, refused])
    }
    await cipher(false)
  })

  test('has a public link with its own secret: any other secret is 404', async () => {
    const [one, two] = [await guest({}, { uid: 'one' }), await guest({}, { uid: 'two' })]
    const secretOf = (url: string): string => /qrcode\/([\w-]{43})\.png$/.exec(url)?.[1] ?? ''
    const [first, second] = [secretOf(one.qrcode_url), secretOf(two.qrcode_url)]
    expect(first).not.toBe(second)
    for (const wrong of [second, `${first}A`, first.slice(0, -2), 'x', '%00', `${first.slice(0, -4)}AAAA`]) {
      const answer = await fetch(one.qrcode_url.replace(first, wrong))
      expect([wrong, answer.status]).toEqual([wrong, 404])
    }
    // The secret of a badge is a different one.
    expect((await fetch(one.qrcode_url.replace('/qrcode/', '/badge/').replace('.png', '.pdf'))).status).toBe(404)
    expect((await fetch(one.qrcode_url.replace('.png', '.json'))).status).toBe(406)
  })

  test('is available as SVG too, is cached privately for minutes, and is gone with its guest', async () => {
    const { _id, qrcode_url } = await guest({}, { uid: 'gone' })
    const svg = await fetch(qrcode_url.replace('.png', '.svg'))
    expect([svg.headers.get('content-type'), svg.headers.get('cache-control')]).toEqual([
      'image/svg+xml',
      'private, max-age=300',
    ])
    expect(await svg.text()).toMatch(/^<svg /)
    await testEvent.remove(`guests/${_id}.json`)
    expect((await fetch(qrcode_url)).status).toBe(404)
  })

  test('is linked in the answer of creation, and of reads and lists on request', async () => {
    const { _id, qrcode_url } = await guest({}, { uid: 'shown' })
    expect(qrcode_url).toContain(`${system.url}/api/v1/events/${testEvent.id}/guests/${_id}/qrcode/`)
    expect((await testEvent.api('GET', `guests/${_id}.json`)).body).not.toHaveProperty('qrcode_url')
    const listed = await testEvent.api('GET', 'guests.json?uid=shown&qrcode_url=true')
    expect(listed.body[0].qrcode_url).toBe(qrcode_url)
  })
})

describe('the key of ciphered QR codes', () => {
  const NO_KEY = { qr_code_ciphering_key: null, qr_code_ciphering_iv: null }
  const permitted = { qr_code_ciphering_enabled: true, device_qr_code_key_enabled: true }

  const keyFor = (testEvent: TestEvent, token: string) => testEvent.api('GET', 'qr_code_key.json', undefined, { token })
  /** A device of an event, with its token. */
  async function enrol(testEvent: TestEvent, fields: object = {}): Promise<{ _id: string; token: string }> {
    const { code } = await testEvent.make('devices.json', { name: 'Phone', ...fields })
    return (await system.api('POST', `device_codes/${code}/exchange.json`, undefined, { token: '' })).body
  }
  const allow = (testEvent: TestEvent, fields: object) => system.api('PUT', `events/${testEvent.id}.json`, fields)

  test('goes to a device only while the organizer allows it and the event ciphers; by default it does not', async () => {
    const testEvent = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
    expect((await system.api('GET', `events/${testEvent.id}.json`)).body.device_qr_code_key_enabled).toBe(false)
    const { token } = await enrol(testEvent)
    const given = async () => (await keyFor(testEvent, token)).body
    expect(await given()).toEqual(NO_KEY)
    await allow(testEvent, { device_qr_code_key_enabled: true })
    const { key, iv } = await clientOf(system.bus, events).ciphering({ body: { event_id: testEvent.id } })
    expect(await given()).toEqual({ qr_code_ciphering_key: key, qr_code_ciphering_iv: iv })
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32)
    await allow(testEvent, { qr_code_ciphering_enabled: false })
    expect(await given()).toEqual(NO_KEY)
    await allow(testEvent, { qr_code_ciphering_enabled: true })
    expect((await given()).qr_code_ciphering_key).toBe(key)
    await allow(testEvent, { device_qr_code_key_enabled: false })
    expect(await given()).toEqual(NO_KEY)
  })

  test('opens what the event has ciphered', async () => {
    const testEvent = await TestEvent.open(system, permitted)
    const guest = { guest_category_id: await testEvent.category(), last_name: 'Turing', uid: 'alan' }
    const ciphered = await scan((await testEvent.make('guests.json', guest)).qrcode_url)
    const { token } = await enrol(testEvent, { accesspoint_ids: [await testEvent.point()] })
    const { qr_code_ciphering_key: key, qr_code_ciphering_iv: iv } = (await keyFor(testEvent, token)).body
    expect(deciphered(ciphered, { enabled: true, key, iv })).toBe('MECARD:UID:alan;;')
  })

  test(
    'goes to no token but that of a device of the event: not to tokens of any scope, staff, or a device of another event',
    slow,
    async () => {
      const [testEvent, elsewhere] = [await TestEvent.open(system, permitted), await TestEvent.open(system, permitted)]
      for (const scope of ['admin', 'read', 'door']) {
        for (const event_id of [null, testEvent.id]) {
          const { body } = await system.api('POST', 'tokens.json', { name: scope, scope, event_id })
          expect([scope, event_id, (await keyFor(testEvent, body.token)).body]).toEqual([scope, event_id, NO_KEY])
        }
      }
      const ask = requesterFor(system.bus, qrCodes, 'key')
      const staff: Caller = { account_id: system.account_id, token_id: 'member', scope: 'admin', role: 'owner' }
      for (const caller of [staff, undefined]) {
        const { body } = await ask({ params: { event_id: testEvent.id }, ...(caller && { caller }) })
        expect(JSON.parse(Buffer.from(body).toString())).toEqual(NO_KEY)
      }
      const { token } = await enrol(elsewhere)
      expect((await keyFor(testEvent, token)).status).toBe(403)
      const own = (await keyFor(elsewhere, token)).body.qr_code_ciphering_key
      expect(own).toHaveLength(44)
      expect(own).not.toBe((await keyFor(testEvent, (await enrol(testEvent)).token)).body.qr_code_ciphering_key)
      expect((await keyFor(testEvent, '')).status).toBe(403)
    },
  )

  test('does not go to a device that was revoked, nor with its former token', async () => {
    const testEvent = await TestEvent.open(system, permitted)
    const { _id, token } = await enrol(testEvent)
    const { code } = (await testEvent.api('POST', `devices/${_id}/roll_code.json`)).body
    const rolled = await system.api('POST', `device_codes/${code}/exchange.json`, undefined, { token: '' })
    expect((await keyFor(testEvent, token)).status).toBe(401)
    expect((await keyFor(testEvent, rolled.body.token)).body.qr_code_ciphering_key).toHaveLength(44)
    await testEvent.remove(`devices/${_id}.json`)
    const { status, body } = await keyFor(testEvent, rolled.body.token)
    expect([status, body]).toEqual([401, { error: 'The device is revoked' }])
  })

  test('is kept by no cache, and is in no record of the audit log and no other answer to a device', async () => {
    const testEvent = await TestEvent.open(system, permitted)
    const { token } = await enrol(testEvent)
    const answer = await keyFor(testEvent, token)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const secrets: string[] = Object.values(answer.body)
    const xml = await testEvent.api('GET', 'qr_code_key.xml', undefined, { token })
    for (const secret of secrets) expect(xml.text).toContain(secret)
    const others = await Promise.all([
      testEvent.api('GET', 'snapshot.json', undefined, { token }),
      system.api('GET', `events/${testEvent.id}.json`, undefined, { token }),
      system.api('PUT', 'devices/heartbeat.json', {}, { token }),
      system.api('GET', 'audit_records.json?per_page=500'),
    ])
    for (const { status, text } of others) {
      expect(status).toBe(200)
      for (const secret of secrets) expect(text).not.toContain(secret)
    }
  })
})

describe('the content of a QR code', () => {
  const longest = Object.fromEntries(Object.keys(printedFields).map((field) => [field, 'x'.repeat(255)])) as Pick<
    Printed,
    keyof typeof printedFields
  >
  const guest: Printed = {
    ...longest,
    _id: 'f'.repeat(24),
    uid: 'u',
    party_size: 1,
    category: {
      name: 'VIP',
      badge_enabled: true,
      badge_qr_code_enabled: true,
      badge_ecard_in_qr_code_enabled: true,
      badge_template_id: null,
    },
    badge_completed: false,
    badge_due: true,
    badge_order: 1,
  }

  test('is never too dense to be scanned: the last fields are left out, but never the uid', () => {
    expect(Object.keys(parse(contentOf(guest, NOT_CIPHERED)))).toEqual(['UID', 'N', 'EMAIL'])
    const uid = '界'.repeat(255)
    expect(parse(contentOf({ ...guest, uid }, NOT_CIPHERED))).toEqual({ UID: uid })
  })
})
