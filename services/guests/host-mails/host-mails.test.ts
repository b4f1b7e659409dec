// @module-tag slow
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { readMail } from '@gatehouse/test/harness/read-mail.ts'
import { startReplica, startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

describe('the e-mail to the host of a guest (docs/interface.md 8.42)', () => {
  let server: MailServer
  let system: System
  let workers: Running[] = []
  let own: TestEvent
  let category: string
  let door: string

  beforeAll(async () => {
    server = await startMailServer()
    system = await startSystem()
    const mail = { smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    const replicas = ['guests', 'mail', 'mail'] as const
    workers = await Promise.all(replicas.map((name) => startReplica(name, system, mail)))
    own = await TestEvent.open(system, { title: 'Opening', locale: 'fr', timezone: 'Asia/Tokyo' })
    category = (await own.make('guest_categories.json', { name: 'Visitors', walk_in_enabled: true }))._id
    door = await own.point()
    await own.link(category, door, -1)
  })
  afterEach(() => server.plan(() => 'take'))
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await system?.stop()
    await server?.stop()
  })

  const taken = (address: string) => server.mails.filter(({ to }) => to.includes(address))
  const guest = (uid: string, fields: object = {}) =>
    own.guest(category, uid, { first_name: 'Ada', last_name: uid, host_email: `${uid}@host.example`, ...fields })
  const entered = (id: string) => expect.poll(async () => (await own.read(`guests/${id}.json`)).checked_in_at)
  /** Resolves when whatever was due earlier has been sent: e-mails leave in the order in which they are due. */
  async function allSent(): Promise<void> {
    const uid = `last-${Math.random().toString(36).slice(2)}`
    await guest(uid)
    await own.scan(door, uid)
    await expect.poll(() => taken(`${uid}@host.example`)).toHaveLength(1)
  }

  test('says who has come, to what and when, in the language and time zone of the event', async () => {
    await guest('lovelace', { company_name: 'Engines' })
    await own.scan(door, 'lovelace', { access_stamp: '2026-05-01T08:30:00.000Z' })
    await expect.poll(() => taken('lovelace@host.example')).toHaveLength(1)
    const [{ text } = { text: '' }] = taken('lovelace@host.example')
    expect(text).toContain("Ada lovelace vient d'arriver")
    expect(text).toContain("Ada lovelace (Engines) vient d'arriver à l'événement Opening")
    expect(text).toMatch(/1 mai 2026.*17:30/)
  })

  test('has the name, the colour and the address for answers of the account, unless the event has its own', async () => {
    const account = { name: 'Fair & Co', color: '#7a1f3d', reply_to_email: 'desk@fair.example' }
    expect((await system.api('PUT', 'account.json', account)).status).toBe(204)
    await guest('branded')
    await own.scan(door, 'branded')
    await expect.poll(() => taken('branded@host.example')).toHaveLength(1)
    const [{ raw } = { raw: Buffer.of() }] = taken('branded@host.example')
    const mail = await readMail(raw)
    expect([mail.from?.name, mail.replyTo?.[0]?.address]).toEqual(['Fair & Co', 'desk@fair.example'])
    expect(mail.html).toContain('background:#7a1f3d')
    await system.api('PUT', `events/${own.id}.json`, { reply_to_email: 'hosts@fair.example' })
    await guest('event')
    await own.scan(door, 'event')
    await expect.poll(() => taken('event@host.example')).toHaveLength(1)
    const [{ raw: later } = { raw: Buffer.of() }] = taken('event@host.example')
    expect((await readMail(later)).replyTo?.[0]?.address).toBe('hosts@fair.example')
  })

  test('is one for many scans at once, and none for an undone entry and another one', async () => {
    const id = await guest('often')
    const scans = await Promise.all(Array.from({ length: 8 }, () => own.scan(door, 'often')))
    await expect.poll(() => taken('often@host.example')).toHaveLength(1)
    for (const { _id } of scans) await own.remove(`access_controls/${_id}.json`)
    await entered(id).toBe(null)
    await own.scan(door, 'often')
    await entered(id).not.toBe(null)
    await allSent()
    expect(taken('often@host.example')).toHaveLength(1)
  })

  test('is none for a refused scan, or an address that was given after the guest came in', async () => {
    const closed = await own.point()
    await guest('refused')
    expect((await own.scan(closed, 'refused')).access_status).toBe(2)
    const id = await guest('later', { host_email: null })
    await own.scan(door, 'later')
    await entered(id).not.toBe(null)
    await own.change(`guests/${id}.json`, { host_email: 'later@host.example' })
    await own.scan(door, 'later')
    await allSent()
    expect(['refused', 'later'].flatMap((uid) => taken(`${uid}@host.example`))).toEqual([])
  })

  test('is sent for a walk-in', async () => {
    const fields = { last_name: 'Walk', host_email: 'walk@host.example' }
    await own.make('walk_ins.json', { guest_category_id: category, accesspoint_id: door, ...fields })
    await expect.poll(() => taken('walk@host.example')).toHaveLength(1)
  })

  test('is not sent again if the mail server took it without an answer, or refused the address', async () => {
    const attempts: string[] = []
    server.plan((to) => {
      attempts.push(to)
      if (to === 'silent@host.example') return 'drop-after'
      return to === 'unknown@host.example' ? 'refuse-recipient' : 'take'
    })
    for (const uid of ['silent', 'unknown']) {
      await guest(uid)
      await own.scan(door, uid)
      await expect.poll(() => attempts).toContain(`${uid}@host.example`)
    }
    await allSent()
    expect(attempts.filter((to) => /silent|unknown/.test(to))).toHaveLength(2)
  })

  test('an address that is none is an error', async () => {
    const errors = await own.refused('guests.json', { guest_category_id: category, host_email: 'nobody' })
    expect(errors.host_email).toHaveLength(1)
  })
})

test('a guests process killed at any answer of its store sends one e-mail to each host', deep, async () => {
  const [server, system] = await Promise.all([startMailServer(), startSystem({ guests: 0 })])
  const killable = await startKillable('guests', system)
  const mail = { smtp_url: server.url, mail_from: 'noreply@gatehouse.example', deadline_ms: 1_000 }
  const worker = await startReplica('mail', system, mail)
  const own = await TestEvent.open(system)
  const category = await own.category()
  const door = await own.point()
  await own.link(category, door, -1)
  const sent = (round: number) => server.mails.filter(({ to }) => to.includes(`host-${round}@example.org`))
  let kills = 0
  for (let round = 0; round < 20; round++) {
    const fields = { guest_category_id: category, uid: `guest-${round}`, host_email: `host-${round}@example.org` }
    expect((await killable.retry(own, 'POST', 'guests.json', fields)).status).toBe(201)
    const cancel = await killable.killAtAnswer(1 + round)
    await killable.retry(own, 'POST', 'access_controls.json', { accesspoint_id: door, guest_uid: `guest-${round}` })
    await expect.poll(() => sent(round)).toHaveLength(1)
    if (cancel()) kills++
    await killable.serving()
  }
  for (let round = 0; round < 20; round++) expect(sent(round)).toHaveLength(1)
  expect(kills).toBeGreaterThan(5)
  await worker.stop()
  await killable.stop()
  await Promise.all([system.stop(), server.stop()])
})

test('a mail process killed while the mail server takes the e-mail leaves it at one', deep, async () => {
  const [server, system] = await Promise.all([startMailServer(), startSystem()])
  const mail = { smtp_url: server.url, mail_from: 'noreply@gatehouse.example' }
  const first = await startReplicaProcess('mail', system, mail)
  const own = await TestEvent.open(system)
  const category = await own.category()
  const door = await own.point()
  await own.link(category, door, -1)
  const enter = async (uid: string) => {
    await own.guest(category, uid, { host_email: `${uid}@example.org` })
    await own.scan(door, uid)
  }
  const receivers = () => server.mails.flatMap(({ to }) => to)
  server.plan(() => async () => void process.kill(first.pid, 'SIGKILL'))
  await enter('killed')
  await expect.poll(receivers).toEqual(['killed@example.org'])
  server.plan(() => 'take')
  const second = await startReplica('mail', system, mail)
  await enter('next')
  await expect.poll(receivers).toEqual(['killed@example.org', 'next@example.org'])
  await second.stop()
  await Promise.all([system.stop(), server.stop()])
})
