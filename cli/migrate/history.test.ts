// @module-tag slow

import { printed } from '@gatehouse/test/harness/command-line.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrateInto } from '../testing/migrating.ts'

const TYPES = ['guest.created', 'check_in.created', 'lead.created']

describe('what comes from another system is history', () => {
  let [here, there]: System[] = []
  let mails: MailServer
  let receiver: Receiver
  let source: TestEvent
  let mine: TestEvent
  let category: string
  let door: string
  const stopping: { stop(): Promise<void> }[] = []

  beforeAll(async () => {
    ;[mails, receiver] = await Promise.all([startMailServer(), startReceiver()])
    here = await startSystem({ with: ['promo', 'partners', 'leads', 'hooks'] })
    there = await startSystem({ with: ['promo', 'partners', 'leads'] })
    const mail = { smtp_url: mails.url, mail_from: 'noreply@gatehouse.example' }
    for (const service of ['guests', 'mail'] as const) stopping.push(await startReplica(service, here, mail))
    const webhook = { url: receiver.url, event_types: TYPES }
    expect((await here.api('POST', 'webhooks.json', webhook)).status).toBe(201)
    source = await TestEvent.open(there, { title: 'Gala' })
    mine = new TestEvent(here, source.id)
    category = await source.category('VIP')
    door = await source.point('Main entrance')
    await source.link(category, door, -1)
    for (const uid of ['ada', 'bob']) await source.guest(category, uid, { host_email: `${uid}@host.example` })
    await source.scan(door, 'ada')
    const { access_token } = await source.make('exhibitors.json', { name: 'Stand', email: 'stand@example.org' })
    const leads = `devices/${access_token}/connections/batch_create.json`
    await there.api('POST', leads, [{ guest_uid: 'ada', author: 'Eve' }], { token: '' })
    expect((await migrateInto(here, there, { event: [source.id] })).code).toBe(0)
  })
  afterAll(async () => {
    await Promise.all([...stopping, here, there, mails].map((each) => each?.stop()))
    await receiver?.close()
  })

  const told = (uid: string) => receiver.received.filter(({ body }) => body.includes(`"${uid}"`))
  const hosts = () => mails.mails.flatMap(({ to }) => to)

  test('a check-in of another system sends its host no e-mail and calls no webhook; one that is made here does', async () => {
    await expect.poll(async () => (await mine.read('guests.json?uid=ada'))[0].checked_in_at).not.toBe(null)
    await mine.scan(door, 'bob')
    // E-mails leave in the order in which they are due, and webhooks in that of their events.
    await expect.poll(hosts).toEqual(['bob@host.example'])
    await receiver.until(() => told('bob').length === 1)
    expect(told('ada')).toEqual([])
  })

  test('a guest who came in there has arrived: another scan here calls webhooks, and sends no e-mail', async () => {
    await mine.scan(door, 'ada')
    await receiver.until(() => told('ada').length === 1)
    await mine.guest(category, 'cyd', { host_email: 'cyd@host.example' })
    await mine.scan(door, 'cyd')
    await expect.poll(hosts).toEqual(['bob@host.example', 'cyd@host.example'])
  })

  // Takes half a minute: what is published once more waits as long as what a process left behind.
  test('what is published once more was made here', deep, async () => {
    const webhook = { url: `${receiver.url}/later`, event_types: TYPES }
    expect((await (here as System).api('POST', 'webhooks.json', webhook)).status).toBe(201)
    const [since = '', until = ''] = [-59, 1].map((minutes) => new Date(Date.now() + minutes * 60_000).toISOString())
    await printed(here as System, 'hooks', 'republish', '--event', source.id, '--since', since, '--until', until)
    const later = () => receiver.received.filter(({ path }) => path === '/later').map(({ json }) => json)
    await receiver.until(() => later().length >= 4)
    expect(
      later()
        .map(({ type, data }) => [type, data.uid ?? data.guest_uid])
        .sort(),
    ).toEqual([
      ['check_in.created', 'ada'],
      ['check_in.created', 'bob'],
      ['check_in.created', 'cyd'],
      ['guest.created', 'cyd'],
    ])
  })
})
