// @module-tag slow
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApnsServer } from '@gatehouse/test/harness/apns-server.ts'
import { makeCertificate } from '@gatehouse/test/harness/certificates.ts'
import { ISSUER, makePassCertificates, PASS_TYPE } from '@gatehouse/test/harness/pass-certificates.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nameOn, Phone } from '../../testing/phone.ts'

describe('passes on phones', () => {
  let folder: string
  let apns: ApnsServer
  let system: System
  let event: TestEvent
  let category: string
  let replica: { stop(): Promise<void> }
  let google: Server
  /** The changes that Google got, and the tokens with which. */
  const patches: { id: string; authorization: string | undefined; body: Record<string, unknown> }[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'passes-'))
    const [{ settings }, certificate] = await Promise.all([makePassCertificates(folder), makeCertificate(folder)])
    apns = await ApnsServer.start(certificate, settings.apple_wwdr_certificate_file)
    google = createServer(async (request, response) => {
      const text = (await request.toArray()).join('')
      if (request.url === '/token') {
        const isAsked = new URLSearchParams(text).get('assertion')?.split('.').length === 3
        response.end(JSON.stringify(isAsked ? { access_token: 'of-google', expires_in: 3_600 } : {}))
        return
      }
      const id = request.url?.replace('/walletobjects/v1/', '') ?? ''
      patches.push({ id, authorization: request.headers.authorization, body: JSON.parse(text) })
      response.end('{}')
    })
    await new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve))
    const google_wallet_url = `http://127.0.0.1:${(google.address() as AddressInfo).port}`
    const key = JSON.parse(await readFile(settings.google_wallet_key_file, 'utf8'))
    await writeFile(
      settings.google_wallet_key_file,
      JSON.stringify({ ...key, token_uri: `${google_wallet_url}/token` }),
    )
    const badges = { ...settings, google_wallet_url, apns_url: apns.url, apns_ca_file: certificate.ca }
    system = await startSystem({ with: ['badges', 'hooks', 'leads', 'partners'], badges })
    replica = await startReplica('badges', system, badges)
    event = await TestEvent.open(system, { title: 'Opening' })
    category = await event.category('Press')
  })
  afterAll(async () => {
    await replica?.stop()
    await system?.stop()
    apns?.stop()
    google?.close()
    await rm(folder, { recursive: true })
  })

  async function phoneOf(first_name = 'Ada'): Promise<{ phone: Phone; guest: string }> {
    const guest = await event.guest(category, crypto.randomUUID(), { first_name })
    return { phone: await Phone.of(event, guest), guest }
  }

  test('a phone registers with the token of the pass alone, and a second time it is known', async () => {
    const { phone } = await phoneOf()
    const { phone: stranger } = await phoneOf()
    expect(await phone.register(undefined, 'wrong')).toBe(401)
    expect(await stranger.register(undefined, undefined, 'pass.other')).toBe(401)
    for (const garbage of ['', '{', '{"pushToken":7}', '{"pushToken":"../x"}'])
      expect(await phone.register(garbage)).toBe(400)
    expect([await phone.register(), await phone.register()]).toEqual([201, 200])
    expect(await stranger.changed()).toBeUndefined()
    expect((await phone.ask('POST', 'log', '{"logs":["x"]}')).status).toBe(200)
    expect((await phone.ask('GET', 'nothing')).status).toBe(404)
  })

  test('a change of the guest is pushed once, though two processes see it, and the phone fetches the new pass', async () => {
    const { phone, guest } = await phoneOf()
    expect(await phone.register()).toBe(201)
    const before = await phone.changed()
    expect(before?.serialNumbers).toEqual([guest])
    expect(await phone.changed(before?.lastUpdated)).toBeUndefined()
    const held = await phone.latest()
    expect((await phone.latest({ 'if-modified-since': held.modified })).status).toBe(304)

    await event.change(`guests/${guest}.json`, { first_name: 'Grace' })
    await expect.poll(() => apns.to(phone.token)).toEqual([{ token: phone.token, topic: PASS_TYPE, body: '{}' }])
    expect((await phone.changed(before?.lastUpdated))?.serialNumbers).toEqual([guest])
    const { pass } = await phone.latest({ 'if-modified-since': held.modified })
    expect(nameOn(pass)).toBe('Grace')

    await event.change(`guests/${guest}.json`, { first_name: 'Joan' })
    await expect.poll(() => apns.to(phone.token).length).toBe(2)
  })

  test('a change that the pass does not show is not pushed', async () => {
    const { phone, guest } = await phoneOf()
    await phone.register()
    await event.change(`guests/${guest}.json`, { message: 'Greet her' })
    await event.change(`guests/${guest}.json`, { first_name: 'Grace' })
    await expect.poll(() => apns.to(phone.token).length).toBe(1)
  })

  test('the pass of a deleted guest becomes void, and names nobody', async () => {
    const { phone, guest } = await phoneOf()
    await phone.register()
    await event.remove(`guests/${guest}.json`)
    await expect.poll(() => apns.to(phone.token).length).toBe(1)
    const { pass } = await phone.latest()
    expect(pass).toMatchObject({ voided: true, serialNumber: guest })
    expect(JSON.stringify(pass)).not.toContain('Ada')
  })

  test('the pass of an erased guest becomes void, and its devices are forgotten', async () => {
    const { phone, guest } = await phoneOf()
    await phone.register()
    await event.make('erasures.json', { by: 'guest_id', value: guest })
    await expect.poll(async () => (await phone.latest()).pass?.voided).toBe(true)
    await expect.poll(() => phone.changed()).toBeUndefined()
  })

  test('a phone that Apple no longer knows is forgotten, and one that unregisters hears no more', async () => {
    const { phone, guest } = await phoneOf()
    const { phone: other, guest: second } = await phoneOf()
    await Promise.all([phone.register(), other.register()])
    apns.refusals.set(phone.token, { status: 410, reason: 'Unregistered' })
    expect(await other.unregister('wrong')).toBe(401)
    expect(await other.unregister()).toBe(200)
    await event.change(`guests/${second}.json`, { first_name: 'Grace' })
    await event.change(`guests/${guest}.json`, { first_name: 'Grace' })
    await expect.poll(() => phone.changed()).toBeUndefined()
    expect(apns.to(other.token)).toEqual([])
  })

  test('the token of a pass opens no other', async () => {
    const { phone } = await phoneOf()
    const { guest } = await phoneOf()
    expect((await phone.ask('GET', `passes/${PASS_TYPE}/${guest}`)).status).toBe(401)
  })

  test('a pass whose link to Google Wallet was opened is changed there, and expires with the guest', async () => {
    const { guest } = await phoneOf()
    const { google_url } = await event.read(`guests/${guest}/wallet.json`)
    expect((await fetch(google_url, { redirect: 'manual' })).status).toBe(302)
    const id = `eventTicketObject/${ISSUER}.${guest}`
    const bodies = () => patches.filter((patch) => patch.id === id).map(({ body }) => body)
    await event.change(`guests/${guest}.json`, { first_name: 'Grace' })
    await expect.poll(bodies).toMatchObject([{ state: 'ACTIVE', ticketHolderName: 'Grace' }])
    expect(patches.find((patch) => patch.id === id)?.authorization).toBe('Bearer of-google')
    expect(patches.map((patch) => patch.id)).toContain(`eventTicketClass/${ISSUER}.${event.id}`)
    await event.remove(`guests/${guest}.json`)
    await expect.poll(() => bodies().at(-1)).toMatchObject({ state: 'EXPIRED', ticketHolderName: '' })
  })
})
