// @module-tag slow

import { type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrateInto } from '../testing/migrating.ts'

describe('taking over once more', () => {
  let [here, there]: System[] = []
  let receiver: Receiver
  let source: TestEvent
  let mine: TestEvent
  let vip: string
  let door: string

  beforeAll(async () => {
    receiver = await startReceiver()
    here = await startSystem({ with: ['promo', 'partners', 'leads', 'badges', 'hooks'] })
    there = await startSystem({ with: ['promo', 'partners', 'leads', 'badges'] })
    source = await TestEvent.open(there, { title: 'Gala', badge_complete_hook_url: `${receiver.url}/badge` })
    mine = new TestEvent(here, source.id)
    vip = (await source.make('guest_categories.json', { name: 'VIP', badge_enabled: true }))._id
    door = await source.point('Main entrance')
    await source.link(vip, door, 1)
  })
  afterAll(async () => {
    await Promise.all([here?.stop(), there?.stop()])
    await receiver?.close()
  })

  const migrated = () => migrateInto(here as System, there as System, { event: [source.id] })
  const guestHere = (id: string): Promise<Answer['body']> => mine.read(`guests/${id}.json?guest_metadata=true`)

  test('a guest keeps the name of the discount code, whose uses there count here', async () => {
    await source.make('promo_codes.json', { text: 'early', max_usage: 2, amount: 10 })
    const ada = await source.guest(vip, 'ada', { last_name: 'Lovelace', promo_code: 'early' })
    expect(await migrated()).toMatchObject({ code: 0 })
    expect((await guestHere(ada)).promo_code).toBe('EARLY')
    expect(await mine.read('promo_codes.json')).toMatchObject([{ text: 'EARLY', times_used: 1 }])
  })

  test('nobody is told of the badges of guests who come from there, but of those made here', async () => {
    const webhook = { url: `${receiver.url}/all`, events: ['guest.created', 'guest.updated', 'badge.completed'] }
    expect((await (here as System).api('POST', 'webhooks.json', webhook)).status).toBe(201)
    const grace = await source.guest(vip, 'grace', { last_name: 'Hopper' })
    expect(await migrated()).toMatchObject({ code: 0 })
    await expect.poll(async () => (await guestHere(grace)).badge_completed).toBe(true)
    await source.change(`guests/${grace}.json`, { last_name: 'Murray' })
    expect(await migrated()).toMatchObject({ code: 0 })
    await expect.poll(async () => (await guestHere(grace)).badge_completed).toBe(true)
    const own = await mine.guest(vip, 'own', { last_name: 'Byron' })
    const told = await receiver.until((all) => all.some(({ json, path }) => path === '/badge' && json._id === own))
    expect(told.filter(({ json }) => JSON.stringify(json).includes(grace))).toEqual([])
  })

  test('what has changed there alone changes here, and the door knows it', async () => {
    const bob = await source.guest(vip, 'bob', { last_name: 'Byron' })
    await migrated()
    const scan = async (uid: string) => (await mine.scan(door, uid)).access_status
    expect([await scan('bob'), await scan('lord')]).toEqual([0, 1])
    await source.change(`guests/${bob}.json`, {
      uid: 'lord',
      guest_metadata: [{ name: 'diet', value: 'vegan' }],
      rsvp_status: 'accepted',
    })
    await source.change(`guest_categories/${vip}.json`, { name: 'Patrons' })
    const links = await source.read(`guest_category_accesspoints.json?guest_category_id=${vip}`)
    await source.change(`guest_category_accesspoints/${links[0].id}.json`, { max_allowed_accesses: 2 })
    const { code, err } = await migrated()
    expect([code, err.match(/^ {2}guests.*$/m)?.[0]]).toEqual([1, expect.stringMatching(/\d changed there/)])
    // Those whose badges were made there meanwhile have changed too. The scans here.
    expect(err).toContain(`access_controls of ${source.id}: 2 are here, 0 there`)
    const changed = { uid: 'lord', guest_metadata: [{ name: 'diet', value: 'vegan' }], rsvp_status: 'accepted' }
    expect(await guestHere(bob)).toMatchObject(changed)
    // The guest's badge there is made meanwhile.
    const timesOf = async () => [
      (await guestHere(bob)).updated_at,
      (await source.read(`guests/${bob}.json`)).updated_at,
    ]
    await expect
      .poll(async () => {
        await migrated()
        return new Set(await timesOf()).size
      })
      .toBe(1)
    expect(await mine.read(`guest_categories/${vip}.json`)).toMatchObject({ name: 'Patrons' })
    expect([await scan('bob'), await scan('lord'), await scan('lord'), await scan('lord')]).toEqual([1, 0, 0, 3])
  })

  test('files of guests come with their names, and are compared byte by byte; what was uploaded here stays', async () => {
    const png = (text: string) => Buffer.from(`\x89PNG\r\n\x1a\n${text}`, 'latin1')
    const put = async (event: TestEvent, id: string, bytes: Buffer): Promise<number> => {
      const init = { headers: { 'content-type': 'image/png' } }
      return event.status('PUT', `guests/${id}/files/photo.json?filename=Me.png`, bytes, init)
    }
    const found = async (id: string): Promise<string> => {
      const [{ url, filename }] = (await mine.read(`guests/${id}.json?files=true`)).files
      const answer = await fetch(`${url}?auth_token=${(here as System).auth_token}`)
      return `${filename}: ${Buffer.from(await answer.arrayBuffer())
        .toString('latin1')
        .slice(8)}`
    }
    await source.make('guest_fields.json', { key: 'photo', label: 'Photo', type: 'file' })
    const [kit, max] = [await source.guest(vip, 'kit'), await source.guest(vip, 'max')]
    expect([await put(source, kit, png('one')), await put(source, max, png('one'))]).toEqual([200, 200])
    await migrated()
    expect([await found(kit), await found(max)]).toEqual(['Me.png: one', 'Me.png: one'])
    const verified = () => migrateInto(here as System, there as System, { event: [source.id], verify: true })
    expect((await verified()).err).toMatch(/files +2 here already/)
    await put(source, kit, png('two'))
    await put(mine, max, png('eleven'))
    expect((await verified()).err).toMatch(/files +2 otherwise here/)
    await migrated()
    expect([await found(kit), await found(max)]).toEqual(['Me.png: two', 'Me.png: eleven'])
  })

  test('what was changed here is not overwritten, whatever changes there', async () => {
    const eve = await source.guest(vip, 'eve', { last_name: 'Ericsson' })
    await migrated()
    await mine.change(`guests/${eve}.json`, { company_name: 'Works' })
    await source.change(`guests/${eve}.json`, { last_name: 'Other' })
    const { err } = await migrated()
    expect(err).toContain(`guests ${eve}: is here otherwise:`)
    expect(await guestHere(eve)).toMatchObject({ last_name: 'Ericsson', company_name: 'Works' })
  })

  test('of several commands at once and changes here, each leaves either what is there or what was changed here', async () => {
    const ids: string[] = []
    for (let number = 0; number < 12; number++)
      ids.push(await source.guest(vip, `racer-${number}`, { last_name: 'Before' }))
    await migrated()
    for (const id of ids) await source.change(`guests/${id}.json`, { last_name: 'There', position: 'Pilot' })
    const runs = [migrated(), migrated()]
    for (const id of ids.slice(0, 6)) await mine.change(`guests/${id}.json`, { last_name: 'Here' })
    await Promise.all(runs)
    for (const [index, id] of ids.entries()) {
      const { last_name, position } = await guestHere(id)
      const allowed =
        index < 6
          ? [
              ['Here', null],
              ['Here', 'Pilot'],
            ]
          : [['There', 'Pilot']]
      expect(allowed).toContainEqual([last_name, position])
    }
  })
})
