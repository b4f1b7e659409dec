import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailServer } from '@gatehouse/test/harness/mail-server.ts'
import { type Client, connect } from '../../../../clients/typescript/client.ts'
import type { Engine } from './engine.ts'
import type { Report } from './report.ts'

const POLL_MS = 200
const GUESTS = 3_000
/** Her letters are in a font that the image has packed. */
const JING = { uid: 'jing', first_name: '静', last_name: '王' }
const IN = 0
const NOT_AGAIN = 3

/** An event with guests, in a system. */
export interface CheckedEvent {
  /** The first gateway. */
  url: string
  client: Client
  token: string
  event_id: string
  accesspoint_id: string
  /** Guests whom nobody has scanned. */
  uids: string[]
}

/** Polls until `ask` gives something. Throws the reason of `signal`, which has the deadline. */
export async function until<T>(signal: AbortSignal, ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    const found = await ask()
    if (found !== undefined) return found
    await sleep(POLL_MS)
  }
}

/** Prepares an event as docs/kubernetes.md says, by the command in the container `cli`: an account, and guests of a file. */
export async function openEvent(engine: Engine, cli: string, url: string, report: Report): Promise<CheckedEvent> {
  const gatehouse = (args: string[], input?: string) => engine.exec(cli, ['node', 'cli/main.ts', ...args], input)
  const { auth_token: token, account_id } = JSON.parse(await gatehouse(['bootstrap', '--account', 'acme', '--json']))
  const client = connect({ url, token })
  const { data: event } = await client.POST('/api/v1/events.json', { body: { title: 'Opening', account_id } })
  const params = { path: { event_id: event._id } }
  const { data: door } = await client.POST('/api/v1/events/{event_id}/accesspoints.json', {
    params,
    body: { name: 'Door' },
  })
  const guest_category_accesspoints = [{ accesspoint_id: door._id, max_allowed_accesses: 1 }]
  for (const body of [{ name: 'VIP', badge_enabled: true }, { name: 'Crowd' }])
    await client.POST('/api/v1/events/{event_id}/guest_categories.json', {
      params,
      body: { ...body, guest_category_accesspoints },
    })
  const uids = Array.from({ length: GUESTS }, (_, index) => `guest-${index}`)
  await report.check(`${GUESTS + 1} guests are imported`, async () => {
    const rows = uids.map((uid) => `${uid},Ada,${uid},Crowd`)
    const file = ['uid,first_name,last_name,category', `${Object.values(JING)},VIP`, ...rows].join('\n')
    await gatehouse(['import', 'guests', '/dev/stdin', '--event', event._id], file)
    const { data } = await client.GET('/api/v1/events/{event_id}/guests.json', {
      params: { ...params, query: { search: '王' } },
    })
    assert.deepEqual(
      data.map(({ uid }) => uid),
      [JING.uid],
    )
  })
  return { url, client, token, event_id: event._id, accesspoint_id: door._id, uids }
}

/** A scan lets a guest in, a second one does not, and a badge is made. */
export async function checkDoor(
  { url, client, event_id, accesspoint_id }: CheckedEvent,
  report: Report,
  signal: AbortSignal,
) {
  const params = { path: { event_id } }
  const scan = async (): Promise<number> => {
    const body = { accesspoint_id, guest_uid: JING.uid }
    const { data } = await client.POST('/api/v1/events/{event_id}/access_controls.json', { params, body })
    return data.access_status
  }
  await report.check('a scan lets a guest in', async () => assert.equal(await scan(), IN))
  await report.check('a second scan is refused', async () => assert.equal(await scan(), NOT_AGAIN))
  await report.check('her badge is made, in letters of a packed font', async () => {
    const query = { search: JING.last_name }
    const address = await until(signal, async () => {
      const { data } = await client.GET('/api/v1/events/{event_id}/guests.json', { params: { ...params, query } })
      return data[0]?.badge_completed ? data[0].badge_url : undefined
    })
    // Its addresses are those of PUBLIC_URL, at which nothing listens here.
    const read = (path: string) => fetch(new URL(new URL(path, url).pathname, url), { redirect: 'manual' })
    const file = await read((await read(String(address))).headers.get('location') ?? '')
    assert.equal(file.headers.get('content-type'), 'application/pdf')
    assert.match(await file.text(), /^%PDF.*NotoSansHans/s)
  })
}

/** Checks that every scan that was answered is stored. */
export async function checkCount(
  { client, event_id }: CheckedEvent,
  answered: number,
  report: Report,
  signal: AbortSignal,
) {
  await report.check('every scan that was answered is stored, once', async () => {
    const params = { path: { event_id } }
    await until(signal, async () => {
      const { data } = await client.GET('/api/v1/events/{event_id}.json', { params })
      assert.ok(data.check_in_count <= answered, `${data.check_in_count} stored, ${answered} answered`)
      return data.check_in_count === answered || undefined
    })
  })
}

/** A partner's invitation is sent to its recipient. */
export async function checkMail(
  { client, event_id }: CheckedEvent,
  server: MailServer,
  report: Report,
  signal: AbortSignal,
) {
  const path = { event_id }
  const email = 'kwame@example.org'
  await report.check('an invitation is e-mailed', async () => {
    const { data: categories } = await client.GET('/api/v1/events/{event_id}/guest_categories.json', {
      params: { path },
    })
    const { data: partner } = await client.POST('/api/v1/events/{event_id}/partners.json', {
      params: { path },
      body: { name: 'Atelier' },
    })
    const { data: type } = await client.POST('/api/v1/events/{event_id}/invitation_types.json', {
      params: { path },
      body: {
        name: 'Evening',
        guest_category_id: categories[0]?._id ?? '',
        message: 'Dear {{first_name}}, [answer]({{link}}).',
      },
    })
    const { data: campaign } = await client.POST(
      '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns.json',
      { params: { path: { event_id, invitation_type_id: type._id } }, body: { partner_id: partner._id, quota: 1 } },
    )
    const { data: access } = await client.POST(
      '/api/v1/events/{event_id}/partners/{partner_id}/partner_campaigns/{partner_campaign_id}/partner_access_tokens.json',
      { params: { path: { event_id, partner_id: partner._id, partner_campaign_id: campaign._id } }, body: {} },
    )
    await client.POST('/api/v1/partners/{partner_access_token}/invitations/batch_create.json', {
      params: { path: { partner_access_token: access.token } },
      body: [{ email, first_name: 'Kwame', last_name: 'Mensah' }],
    })
    const mail = await until(signal, async () => server.mails.find(({ to }) => to.includes(email)))
    assert.match(mail.text, /Dear Kwame/)
  })
}
