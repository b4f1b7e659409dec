// @module-tag slow

import { databaseOf } from '@gatehouse/test/harness/databases.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { migrateInto } from '../testing/migrating.ts'

describe('following another Gatehouse', () => {
  let [here, there]: System[] = []
  let source: TestEvent
  let mine: TestEvent
  let vip: string
  let door: string
  let ids: Record<string, string>
  const stop = new AbortController()
  const terminal = captured({ stop: stop.signal })
  let following: ReturnType<typeof migrateInto>

  beforeAll(async () => {
    ;[here, there] = [
      await startSystem({ with: ['promo', 'partners', 'leads', 'badges'] }),
      await startSystem({ with: ['promo', 'partners', 'leads', 'badges'] }),
    ]
    source = await TestEvent.open(there, { title: 'Gala' })
    mine = new TestEvent(here, source.id)
    vip = await source.category('VIP')
    door = await source.point('Main entrance')
    await source.link(vip, door, 1)
    ids = {}
    for (const uid of ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay'])
      ids[uid] = await source.guest(vip, uid, { last_name: uid })
    await source.scan(door, 'ada')
    following = migrateInto(here, there, { event: [source.id], follow: true, compareEvery: 1 }, terminal)
    await vi.waitFor(() => expect(terminal.text.err).toContain('Following'), { timeout: 120_000, interval: 100 })
  })
  afterAll(async () => {
    stop.abort()
    await following
    await Promise.all([here?.stop(), there?.stop()])
  })

  const guest = async (uid: string): Promise<Answer['body'] | undefined> =>
    (await mine.read(`guests.json?uid=${uid}`))[0]
  const reported = (text: string): number => terminal.text.err.split('\n').filter((line) => line.includes(text)).length

  test('guests who come or change there do so here, with their new categories', async () => {
    await source.change(`guests/${ids.bob}.json`, { last_name: 'Byron' })
    const crew = await source.category('Crew')
    await source.guest(crew, 'gus', { last_name: 'Gus' })
    await expect.poll(async () => (await guest('bob'))?.last_name).toBe('Byron')
    await expect.poll(async () => (await guest('gus'))?.guest_category_id).toBe(crew)
  })

  test('who comes in there is not let in here, and who came in here stays so', async () => {
    await source.scan(door, 'bob')
    const checkIns = async (uid: string) => (await mine.read(`access_controls.json?guest_uid=${uid}`)).length
    await expect.poll(() => checkIns('bob')).toBe(1)
    expect([(await mine.scan(door, 'bob')).access_status, (await mine.scan(door, 'cyd')).access_status]).toEqual([3, 0])
    // Read there after the scan here.
    await source.change(`guests/${ids.cyd}.json`, { position: 'Pilot' })
    await expect.poll(async () => (await guest('cyd'))?.position).toBe('Pilot')
    await expect.poll(async () => (await guest('cyd'))?.checked_in_at).toEqual(expect.any(String))
    expect(await checkIns('cyd')).toBe(1)
  })

  test('what was changed here is not overwritten, and is reported once', async () => {
    await mine.change(`guests/${ids.dan}.json`, { last_name: 'Here' })
    await source.change(`guests/${ids.dan}.json`, { last_name: 'There' })
    await expect.poll(() => reported(`guests ${ids.dan}: is here otherwise`)).toBe(1)
    await source.guest(vip, 'later', { last_name: 'Later' })
    await expect.poll(async () => (await guest('later'))?.last_name).toBe('Later')
    expect([(await guest('dan'))?.last_name, reported(`guests ${ids.dan}`)]).toEqual(['Here', 1])
  })

  test('who is deleted there goes here too, unless the guest was scanned here; who is deleted here stays so', async () => {
    await mine.remove(`guests/${ids.fay}.json`)
    for (const uid of ['eve', 'cyd']) await source.remove(`guests/${ids[uid]}.json`)
    await expect.poll(() => guest('eve')).toBeUndefined()
    await expect.poll(() => reported(`guests ${ids.cyd}: is gone there, and stays`)).toBe(1)
    await expect.poll(() => reported(`guests ${ids.fay}: was deleted here`)).toBe(1)
    expect([(await guest('cyd'))?.last_name, await guest('fay')]).toEqual(['cyd', undefined])
  })

  test('a check-in that is undone there gives its access back here', async () => {
    const [checkIn] = await source.read('access_controls.json?guest_uid=ada')
    await source.remove(`access_controls/${checkIn._id}.json`)
    await expect.poll(async () => (await mine.read('access_controls.json?guest_uid=ada')).length).toBe(0)
    expect((await mine.scan(door, 'ada')).access_status).toBe(0)
  })

  test('points, links, categories and discount codes follow', async () => {
    const back = await source.point('Back door')
    await source.link(vip, back, -1)
    const code = await source.make('promo_codes.json', { text: 'early', max_usage: 5, amount: 10 })
    await expect.poll(async () => (await mine.read('promo_codes.json')).length).toBe(1)
    await source.change(`promo_codes/${code._id}.json`, { promo_code: { text: 'late' } })
    await source.change(`guest_categories/${vip}.json`, { name: 'Patrons' })
    await expect.poll(async () => (await mine.read('promo_codes.json'))[0]?.text).toBe('LATE')
    await expect.poll(async () => (await mine.read(`guest_categories/${vip}.json`)).name).toBe('Patrons')
    await source.make('promo_codes.json', { text: 'other', max_usage: 5, amount: 10 })
    await source.remove(`promo_codes/${code._id}.json`)
    await source.remove(`accesspoints/${back}.json`)
    await expect
      .poll(async () => (await mine.read('promo_codes.json')).map(({ text }: Answer['body']) => text))
      .toEqual(['OTHER'])
    await expect.poll(async () => (await mine.read('accesspoints.json')).length).toBe(1)
  })

  test('partners, campaigns, invitation types, exhibitors, signatures and files go with those there, unless they are used here', async () => {
    const partner = async (name: string) => {
      const { _id: type } = await source.make('invitation_types.json', { name, guest_category_id: vip })
      const { _id } = await source.make('partners.json', { name, recipients_quota: 5 })
      const campaigns = `invitation_types/${type}/partner_campaigns`
      const campaign = (await source.make(`${campaigns}.json`, { partner_id: _id, quota: 5 }))._id
      return { _id, type, campaign, path: `${campaigns}/${campaign}.json` }
    }
    const [stays, goes, isUsed] = [await partner('Stays'), await partner('Goes'), await partner('Used')]
    const stand = async (name: string) =>
      (await source.make('exhibitors.json', { name, email: 'stand@example.org' }))._id
    const stands = [await stand('Stays'), await stand('Goes'), await stand('Used')]
    await source.make('guest_fields.json', { key: 'photo', label: 'Photo', type: 'file' })
    const png = { headers: { 'content-type': 'image/png' } }
    const photo = (guest: string | undefined) => `guests/${guest}/files/photo.json`
    for (const uid of ['ada', 'bob'])
      await source.api('PUT', photo(ids[uid]), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), png)
    const points = { width: '9', height: '9', lines: [{ x1: '1', y1: '2', x2: '3', y2: '4' }] }
    const sign = async () =>
      (await source.make('signatures.json', { accesspoint_id: door, guest_uid: 'ada', points }))._id
    const signatures = [await sign(), await sign()]
    const here = async (list: string): Promise<string[]> =>
      (await mine.read(`${list}.json`)).map(({ _id }: Answer['body']) => _id)
    const files = async () => (await mine.read(`guests/${ids.bob}/files.json`)).length
    await expect.poll(() => here('exhibitors')).toEqual(stands)
    await expect.poll(files).toBe(1)
    const tokens = `partners/${isUsed._id}/partner_campaigns/${isUsed.campaign}/partner_access_tokens.json`
    await mine.make(tokens, {})
    await mine.make(`exhibitors/${stands[2]}/codes.json`, {})
    const remove = async (path: string) => expect([200, 204]).toContain(await source.status('DELETE', path))
    for (const { path } of [goes, isUsed]) await remove(path)
    for (const { _id, type } of [goes, isUsed])
      for (const gone of [`partners/${_id}`, `invitation_types/${type}`]) await remove(`${gone}.json`)
    for (const gone of stands.slice(1)) await remove(`exhibitors/${gone}.json`)
    await remove(photo(ids.bob))
    await databaseOf(there as System, 'checkin')
      .collection<{ _id: string }>('signatures')
      .deleteOne({ _id: signatures[0] })
    await expect.poll(() => here('partners')).toEqual([stays._id, isUsed._id])
    await expect.poll(() => here('invitation_types')).toEqual([stays.type, isUsed.type])
    await expect.poll(() => here('exhibitors')).toEqual([stands[0], stands[2]])
    await expect.poll(() => here('signatures')).toEqual([signatures[1]])
    await expect.poll(files).toBe(0)
    expect(await here(`guests/${ids.ada}/files`)).toHaveLength(1)
    for (const gone of [`partners ${isUsed._id}`, `partner_campaigns ${isUsed.campaign}`, `exhibitors ${stands[2]}`])
      await expect.poll(() => reported(`${gone}: is gone there, and stays`)).toBe(1)
  })

  test('it ends with a summary when it is stopped, and ends with 0', async () => {
    stop.abort()
    const { code, err } = await following
    expect([code, err.split('Following').at(-1)]).toEqual([
      0,
      expect.stringMatching(/guests +\d+ new, \d+ changed there, and now here/),
    ])
  })
})
