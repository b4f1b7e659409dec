// @module-tag slow
import { connect } from 'node:net'
import { apps } from '@gatehouse/leads/resources'
import { reservePort } from '@gatehouse/local/ports'
import { InvitationLinks } from '@gatehouse/partners/links'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { accounts } from '@gatehouse/sso/resources'
import { Redis } from 'ioredis'
import { expect, inject, test } from 'vitest'
import { mainOf, type ServiceName, serviceNames } from '../services/services.ts'
import { BrowserSession } from './harness/browser-session.ts'
import { call } from './harness/call.ts'
import { startMailServer } from './harness/mail-server.ts'
import { natsUrlOf, storeUrlsOf } from './harness/nats-urls.ts'
import { startReceiver } from './harness/receiver.ts'
import { startSpeaking } from './harness/speaking-process.ts'
import { storedText } from './harness/stored-text.ts'
import { SECRETS_KEY } from './harness/system.ts'

interface Invited {
  email: string
  state: string
}

/** Services that share a process: fewer cost less. Guests has its own, since it is killed. */
const GROUPS: ServiceName[][] = [['guests'], serviceNames.filter((name) => name !== 'guests')]

/** The settings by which a process of several services has users of the stores for each. */
const sharedBy = (group: ServiceName[]): Record<string, string> => ({
  SERVICES: group.join(),
  ...Object.fromEntries(
    group.flatMap((name) =>
      Object.entries(storeUrlsOf(name)).map(([setting, url]) => [`${setting}_${name}`.toUpperCase(), url]),
    ),
  ),
})

test('no token, key or personal data is logged and no token is stored, whatever fails', async () => {
  const [port, mailServer, receiver] = await Promise.all([
    reservePort(),
    startMailServer(),
    startReceiver(() => ({ status: 500 })),
  ])
  const settings = {
    NATS_URL: inject('natsUrl'),
    MONGODB_URL: inject('mongodbUrl'),
    REDIS_URL: inject('redisUrl'),
    NAMESPACE: `secrets-${crypto.randomUUID().slice(0, 8)}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECRETS_KEY,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'noreply@gatehouse.example',
    GATEHOUSE_ALLOW_PRIVATE_HOOKS: '1',
    HOOK_RETRY_DELAYS: '0.1',
  }
  const gateway = startSpeaking(mainOf('gateway'), { ...settings, NATS_URL: natsUrlOf('gateway') })
  const ofServices = GROUPS.map((group) => startSpeaking('services/main.ts', { ...settings, ...sharedBy(group) }))
  const processes = [gateway, ...ofServices]
  const bus = await connectBus({
    servers: settings.NATS_URL,
    namespace: settings.NAMESPACE,
    name: 'test',
    log: makeLog('test', 'silent'),
  })
  const redis = new Redis(settings.REDIS_URL)
  try {
    await Promise.all(processes.map(({ ready }) => ready()))
    const readyOnes = () => ofServices.map(({ said }) => said.out.split('"msg":"ready"').length - 1)
    await expect.poll(readyOnes).toEqual(GROUPS.map(({ length }) => length))
    const { account_id, auth_token } = await clientOf(bus, accounts).bootstrap({ body: { slug: 'secret' } })
    const secrets = new Set([auth_token])
    for (const address of [
      ...(['gateway', ...serviceNames] as const).flatMap((name) => Object.values(storeUrlsOf(name))),
      settings.MONGODB_URL,
      settings.REDIS_URL,
    ]) {
      const { password } = new URL(address)
      if (password) secrets.add(password)
    }
    /** What may be stored, but not logged. */
    const unlogged = new Set<string>()
    const key = `key-${crypto.randomUUID()}`
    const person = {
      first_name: 'Zuleika',
      last_name: 'Quackenbush',
      email: 'zq@private.example',
      phone_number: '+15550134',
    }

    const base = `http://127.0.0.1:${port}`
    const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      call(base, auth_token, method, path, body, { headers })

    const event = (await send('POST', 'events.json', { title: 'Fair', account_id })).body._id
    const of = `events/${event}`
    const category = (await send('POST', `${of}/guest_categories.json`, { name: 'Press' })).body._id
    const point = (await send('POST', `${of}/accesspoints.json`, { name: 'Door' })).body._id
    const guest = { ...person, guest_category_id: category, uid: 'zq-uid-000001' }
    const issued = await send('POST', 'tokens.json', { name: 'door', scope: 'door' }, { 'idempotency-key': key })
    secrets.add(issued.body.token)

    // Requests that succeed, and which fail in various ways.
    expect((await send('POST', `${of}/guests.json`, guest, { 'idempotency-key': `${key}-guest` })).status).toBe(201)
    expect((await send('POST', `${of}/guests.json`, guest)).status).toBe(422)
    expect(
      (await send('POST', `${of}/access_controls.json`, { accesspoint_id: point, guest_uid: guest.uid })).status,
    ).toBe(201)
    expect((await send('POST', `${of}/guests.json`, JSON.stringify(guest).slice(0, -1))).status).toBe(400)
    expect((await send('GET', `${of}/guests.json?search=Quackenbush&page=x`)).status).toBe(422)
    expect((await send('GET', 'events/%ZZ.json')).status).toBe(400)
    expect((await send('GET', `${'x'.repeat(2_000)}.json`)).status).toBe(404)
    expect((await send('POST', 'events.json', 'x', { 'content-type': 'text/plain' })).status).toBe(415)
    expect(
      (await send('POST', `${of}/guests.xml`, '<guest>&x;</guest>', { 'content-type': 'application/xml' })).status,
    ).toBe(400)
    // An exhibitor and its app.
    const exhibitor = (await send('POST', `${of}/exhibitors.json`, { name: 'Acme' })).body
    const scanner = await clientOf(bus, apps).register({ body: { name: 'Scanner' } })
    for (const secret of [exhibitor.access_token, scanner.signing_secret]) secrets.add(secret)
    const leads = `devices/${exhibitor.access_token}/connections/batch_create.json`
    const lead = { guest_uid: guest.uid, author: 'Ann' }
    expect((await send('POST', leads, [lead], { 'idempotency-key': `${key}-lead` })).status).toBe(201)
    expect((await send('POST', leads.replace('gh_', 'gh_x'), [lead])).status).toBe(401)
    const read = `lead_guests/${guest.uid}.json?access_token=${exhibitor.access_token}`
    expect((await send('GET', read)).body.email).toBe(person.email)
    const licence = `${of}/exhibitors/${exhibitor.access_token}/activate_license.json`
    expect((await send('PUT', licence, { signature: 'x' })).status).toBe(401)
    // A phone of the exhibitor's stand, and a wrong code.
    const stand = (await send('POST', `${of}/exhibitors/${exhibitor._id}/codes.json`)).body
    const standPhone = (await send('POST', `exhibitor_codes/${stand.code}/exchange.json`)).body
    expect((await send('POST', `exhibitor_codes/${stand.code}/exchange.json`)).status).toBe(401)
    expect((await send('GET', `devices/${standPhone.access_token}/connections.json`)).status).toBe(200)
    for (const secret of [stand.code, stand.code.replaceAll('-', ''), standPhone.access_token]) secrets.add(secret)
    // A device, whose code is exchanged, and one whose code is wrong.
    const phone = (await send('POST', `${of}/devices.json`, { name: 'Phone' }, { 'idempotency-key': `${key}-phone` }))
      .body
    const exchanged = await send('POST', `device_codes/${phone.code}/exchange.json`)
    expect(exchanged.status).toBe(201)
    expect((await send('POST', `device_codes/${phone.code}/exchange.json`)).status).toBe(401)
    for (const secret of [phone.code, phone.code.replace('-', ''), exchanged.body.token]) secrets.add(secret)
    // The key of ciphered codes, which the device gets.
    const ciphering = { qr_code_ciphering_enabled: true, device_qr_code_key_enabled: true }
    expect((await send('PUT', `${of}.json`, ciphering)).status).toBe(204)
    const given = (await call(base, exchanged.body.token, 'GET', `${of}/qr_code_key.json`)).body
    for (const secret of [given.qr_code_ciphering_key, given.qr_code_ciphering_iv]) {
      expect(secret).toMatch(/^[\w+/]{22,43}=+$/)
      secrets.add(secret)
    }
    const wrong = `gh_wrong${crypto.randomUUID()}`
    secrets.add(wrong)
    const headers = { authorization: `Bearer ${wrong}` }
    expect((await fetch(`${base}/api/v1/me.json`, { headers })).status).toBe(403)
    expect((await fetch(`${base}/api/v1/me.json?auth_token=${wrong}`)).status).toBe(403)
    // Bytes that are not HTTP, and an incomplete request.
    for (const bytes of [
      `GET /api/v1/me.json?auth_token=${auth_token} HTTP/9.9\r\n\r\n`,
      `POST /api/v1/events.json?auth_token=${auth_token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ]) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(bytes)
      await new Promise((resolve) => setTimeout(resolve, 100))
      socket.destroy()
    }
    // Single sign-on, with a wrong password, and its secrets.
    const contact = {
      email: 'ada@contact.example',
      first_name: 'Adaline',
      last_name: 'Lovelacey',
      password: 'correct horse!',
    }
    const made = await send('POST', 'contacts.json', contact)
    expect(made.status).toBe(201)
    const redirect_uri = 'https://hub.example/callback'
    const app = (await send('POST', 'oauth_apps.json', { name: 'Hub', redirect_uris: [redirect_uri] })).body
    const visitor = new BrowserSession(base)
    const params = { client_id: app.client_id, redirect_uri, response_type: 'code', state: 'very-secret-state' }
    const login = await visitor.open(`${base}/sso/secret/oauth/authorize?${new URLSearchParams(params)}`)
    await visitor.submit(login, { email: contact.email, password: 'wrong horse!!!', step: 'password' })
    const consent = await visitor.submit(login, { email: contact.email, password: contact.password, step: 'password' })
    const back = new URL((await visitor.submit(consent, { step: 'allow' })).url)
    const code = back.searchParams.get('code') ?? ''
    const exchange = async (client_secret: string): Promise<Response> => {
      const form = { grant_type: 'authorization_code', client_id: app.client_id, client_secret, code, redirect_uri }
      return fetch(`${base}/sso/secret/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
    }
    expect((await exchange('gs_wrong')).status).toBe(401)
    const { access_token } = (await (await exchange(app.client_secret)).json()) as { access_token: string }
    expect(access_token).toMatch(/^[\w-]{43}$/)
    const session = (await visitor.jar.getCookies(`${base}/sso/secret`)).find(({ key }) => key === 'sso-secret')?.value
    for (const secret of [
      code,
      access_token,
      app.client_secret,
      session ?? '',
      contact.password,
      'wrong horse!!!',
      'very-secret-state',
    ]) {
      expect(secret).not.toBe('')
      secrets.add(secret)
    }
    // A webhook that fails, a discount code, and a badge.
    const hook = { url: `${receiver.url}/secret-path`, event_types: ['guest.created'], event_id: event }
    secrets.add((await send('POST', 'webhooks.json', hook)).body.secret)
    const discount = 'QUACKENDISCOUNT'
    expect((await send('POST', `${of}/promo_codes.json`, { text: discount, max_usage: 1 })).status).toBe(201)
    const speakers = { name: 'Speakers', badge_enabled: true, rsvp_enabled: true }
    const speakerCategory = (await send('POST', `${of}/guest_categories.json`, speakers)).body._id
    const speaker = { ...person, guest_category_id: speakerCategory, promo_code: discount }
    const { _id: speakerId } = (await send('POST', `${of}/guests.json`, { ...speaker, uid: 'zq-uid-000002' })).body
    expect((await send('POST', `${of}/guests.json`, { ...speaker, uid: 'zq-uid-000003' })).status).toBe(422)
    const badgeOf = async () => (await send('GET', `${of}/guests/${speakerId}.json`)).body
    await expect.poll(async () => (await badgeOf()).badge_completed).toBe(true)
    const { badge_url } = await badgeOf()
    expect((await fetch(badge_url)).status).toBe(200)
    expect((await fetch(badge_url.replace(/[\w-]+\.pdf/, 'wrong.pdf'))).status).toBe(404)
    await receiver.until((received) => received.length > 1)
    // A partner's invitations: one arrives and is accepted, one is refused by the mail server, and one is kept.
    const invited = ['taken', 'refused', 'kept'].map((local, nth) => ({
      email: `${local}-zq@private.example`,
      first_name: 'Xanthippe',
      last_name: `Featherstonehaugh${nth}`,
    }))
    mailServer.plan((to) =>
      to.startsWith('refused') ? 'refuse-recipient' : to.startsWith('kept') ? 'drop-before' : 'take',
    )
    const partner_id = (await send('POST', `${of}/partners.json`, { name: 'Acme' })).body._id
    const type = (
      await send('POST', `${of}/invitation_types.json`, { name: 'Evening', guest_category_id: speakerCategory })
    ).body._id
    const campaign = (
      await send('POST', `${of}/invitation_types/${type}/partner_campaigns.json`, { partner_id, quota: 5 })
    ).body._id
    const access = (
      await send('POST', `${of}/partners/${partner_id}/partner_campaigns/${campaign}/partner_access_tokens.json`, {})
    ).body
    const ofPartner = (method: string, path: string, body?: unknown) =>
      call(base, '', method, `partners/${access.token}/${path}`, body)
    expect((await ofPartner('POST', 'invitations/batch_create.json', invited)).status).toBe(201)
    expect((await call(base, '', 'GET', `partners/${wrong}/invitations.json`)).status).toBe(401)
    const statesOf = async () =>
      Object.fromEntries((await ofPartner('GET', 'invitations.json')).body.map((each: Invited) => [each.email, each]))
    await expect.poll(statesOf).toMatchObject({
      [invited[0]?.email ?? '']: { state: 'sent' },
      [invited[1]?.email ?? '']: { state: 'rejected' },
      [invited[2]?.email ?? '']: { state: 'queued' },
    })
    const links = new InvitationLinks({ public_url: base, secrets_key: SECRETS_KEY })
    const states = await statesOf()
    const [link = '', further = ''] = invited.map(({ email }) => links.of(event, states[email]._id))
    expect(mailServer.mails[0]?.text).toContain(link)
    const accept = (of: string) => fetch(of, { method: 'POST', body: new URLSearchParams({ answer: 'accepted' }) })
    expect((await accept(link)).status).toBe(200)
    secrets.add(access.token)
    for (const each of invited.flatMap(Object.values<string>)) unlogged.add(each)
    for (const address of [link, further, badge_url]) unlogged.add(new URL(address).pathname)
    for (const each of [discount, 'secret-path', 'zq-uid-000002']) unlogged.add(each)
    // An invalid message on the bus, and a service that is killed.
    await expect(bus.call('guests.guests.create', { params: { event_id: event } }, Buffer.from('{'))).rejects.toThrow()
    await ofServices[0]?.stop('SIGKILL')
    expect((await send('POST', `${of}/guests.json`, guest)).status).toBe(503)
    expect((await send('POST', leads, [lead])).status).toBe(503)
    expect((await accept(further)).status).toBe(503)

    const stored = await storedText(settings.MONGODB_URL, settings.NAMESPACE)
    expect(stored).toContain(person.email)
    for (const secret of [...secrets, key]) expect(stored).not.toContain(secret)
    for (const name of await redis.keys(`${settings.NAMESPACE}*`)) {
      const held = await redis.dump(name)
      for (const secret of secrets) expect(`${name}${held}`).not.toContain(secret)
    }
    // Their output is complete when they have ended.
    await Promise.all(processes.map(({ stop }) => stop()))
    expect(processes.map(({ said }) => said.out).join('\n')).toContain('"not delivered"')
    for (const { said } of processes) {
      for (const line of said.out.trim().split('\n')) expect(() => JSON.parse(line), line).not.toThrow()
      const all = said.out + said.err
      const { first_name, last_name, email, phone_number } = person
      const people = [first_name, last_name, email, phone_number, contact.first_name, contact.last_name, contact.email]
      for (const secret of [...secrets, ...unlogged, ...people, key, guest.uid]) {
        expect(all).not.toContain(secret)
      }
    }
  } finally {
    redis.disconnect()
    await bus.stop()
    await Promise.all(processes.map(({ stop }) => stop()))
    await Promise.all([mailServer.stop(), receiver.close()])
  }
})
