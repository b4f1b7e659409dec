import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runGatehouseProcess, settingsFor } from '@gatehouse/test/harness/command-line.ts'
import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrateInto } from '../testing/migrating.ts'

const SERVICES = ['partners', 'leads', 'promo', 'badges'] as const
/** Every second request goes to the process that is killed. */
const TRIES = 4
/** Answers of a store at which its service is killed, and answers of the other system at which the command is. */
const MOST = 16
const DEADLINE_MS = 2_000

/** The command, or a service here, is killed -9 at each answer that it waits for. Afterwards everything is here as there. */
describe('a takeover that is killed', deep, () => {
  let [here, there]: System[] = []

  beforeAll(async () => {
    here = await startSystem({ with: [...SERVICES], gateway: { deadline_ms: DEADLINE_MS } })
    there = await startSystem({ with: [...SERVICES] })
  })
  afterAll(async () => {
    await Promise.all([here?.stop(), there?.stop()])
  })

  /** An event of the other system with something of each kind. */
  async function filled(): Promise<TestEvent> {
    const event = await TestEvent.open(there as System)
    const category = await event.category('VIP')
    const door = await event.point()
    await event.link(category, door, 1)
    await event.make('guest_fields.json', { key: 'photo', label: 'Photo', type: 'file' })
    await event.make('promo_codes.json', { text: 'early', max_usage: 5, amount: 10 })
    const ada = await event.guest(category, 'ada', { last_name: 'Lovelace', promo_code: 'early' })
    await event.guest(category, 'bob', { last_name: 'Byron' })
    const png = Buffer.from('\x89PNG\r\n\x1a\nsome', 'latin1')
    await event.api('PUT', `guests/${ada}/files/photo.json`, png, { headers: { 'content-type': 'image/png' } })
    for (const uid of ['ada', 'ada', 'nobody']) await event.scan(door, uid)
    const points = { width: '9', height: '9', lines: [{ x1: '1', y1: '2', x2: '3', y2: '4' }] }
    await event.make('signatures.json', { accesspoint_id: door, guest_uid: 'ada', points })
    const partner_id = (await event.make('partners.json', { name: 'Acme', recipients_quota: 5 }))._id
    const type = (await event.make('invitation_types.json', { name: 'Evening', guest_category_id: category }))._id
    await event.make(`invitation_types/${type}/partner_campaigns.json`, { partner_id, quota: 5 })
    const { access_token } = await event.make('exhibitors.json', { name: 'Stand 7', email: 'stand@example.org' })
    const leads = `devices/${access_token}/connections/batch_create.json`
    await event.system.api('POST', leads, [{ guest_uid: 'ada', author: 'Eve' }], { token: '' })
    return event
  }

  const verified = async ({ id }: TestEvent): Promise<object> => {
    const { code, err } = await migrateInto(here as System, there as System, { event: [id], verify: true })
    return { code, differing: err.split('\n').filter((line) => /is (not )?here|there$/.test(line)) }
  }

  test.each(['guests', 'checkin', ...SERVICES] as const)('%s at each answer of its store', async (service) => {
    const killable = await startKillable(service, here as System, { deadline_ms: DEADLINE_MS })
    try {
      for (let nth = 1, isKilled = true; isKilled && nth <= MOST; nth++) {
        isKilled = false
        for (let tries = 0; tries < TRIES && !isKilled; tries++) {
          const event = await filled()
          const wasKilled = await killable.killAtAnswer(nth)
          await migrateInto(here as System, there as System, { event: [event.id] })
          isKilled = wasKilled()
          expect([nth, await verified(event)]).toEqual([nth, { code: 0, differing: [] }])
          await killable.serving()
        }
      }
    } finally {
      await killable.stop()
    }
  })

  test('the command at each answer of the other system', async () => {
    const proxy = await proxyTo((there as System).url)
    const folder = await mkdtemp(join(tmpdir(), 'migrate-'))
    try {
      const token = join(folder, 'token')
      await writeFile(token, (there as System).auth_token)
      for (let nth = 1, isKilled = true; isKilled && nth <= MOST; nth++) {
        const event = await filled()
        const args = ['migrate', '--from', `http://${proxy.host}`, '--token-file', token]
        args.push('--account', (here as System).slug, '--event', event.id)
        const killing = new AbortController()
        let left = nth
        proxy.watch(() => {
          if (--left === 0) killing.abort()
          return true
        })
        await runGatehouseProcess(args, settingsFor(here as System), '', killing.signal)
        isKilled = killing.signal.aborted
        const again = await runGatehouseProcess(args, settingsFor(here as System))
        expect([nth, again.code, await verified(event)]).toEqual([nth, 0, { code: 0, differing: [] }])
      }
    } finally {
      await proxy.close()
      await rm(folder, { recursive: true })
    }
  })
})
