import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const system = await sharedSystem()

describe('guest fields', () => {
  let event: string

  beforeEach(async () => {
    const { body } = await system.api('POST', 'events.json', { title: 'Fair', account_id: system.account_id })
    event = body._id
  })

  const path = (rest = ''): string => `events/${event}/guest_fields${rest}`
  const xml = (method: string, to: string, body: string): Promise<Answer> =>
    system.api(method, to, body, { headers: { 'content-type': 'application/xml; charset=utf-8' } })
  const made = async (fields: object): Promise<Answer['body']> => {
    const answer = await system.api('POST', path('.json'), { guest_field: fields })
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }

  test('creation with the root key guest_field answers 201 with the field; use_in_export comes as a string', async () => {
    const fields = { key: 'diet', label: 'Diet', type: 'value_list', use_in_export: 'true' }
    const field = await made(fields)
    expect(field).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      ...fields,
      use_in_export: true,
      use_in_registration: false,
      is_required: false,
      available_values: [],
      object_id: event,
      event_id: event,
      created_at: expect.stringMatching(/Z$/),
      updated_at: field.created_at,
    })
    expect((await system.api('GET', path(`/${field._id}.json`))).body).toEqual(field)
  })

  test(
    'a list that comes whole is all of page 1 and empty on any further page (docs/interface.md 1.14)',
    slow,
    async () => {
      await made({ key: 'diet' })
      await system.api('POST', `events/${event}/accesspoints.json`, { name: 'Door' })
      await system.api('POST', `events/${event}/guest_categories.json`, { name: 'Press' })
      await system.api('POST', `events/${event}/exhibitors.json`, { name: 'Acme' })
      await system.api('POST', `events/${event}/partners.json`, { name: 'Beta' })
      for (const list of ['guest_fields', 'accesspoints', 'guest_categories', 'exhibitors', 'partners']) {
        const page = async (query: string, format = 'json'): Promise<Answer> =>
          system.api('GET', `events/${event}/${list}.${format}?${query}`)
        const whole = (await page('')).body
        expect(whole.length, list).toBe(1)
        expect((await page('page=1&per_page=1')).body).toEqual(whole)
        for (const past of ['page=2', 'page=2&per_page=1', 'page=1000000']) expect((await page(past)).body).toEqual([])
        expect((await page('page=2', 'xml')).text).toMatch(/type="array"\s*\/>|type="array"><\//)
        for (const bad of ['page=0', 'page=x', 'page=-1']) {
          const refused = await page(bad)
          expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['page']])
        }
      }
      expect((await system.api('GET', 'events.json?page=2')).body).toEqual([])
    },
  )

  test('creation takes a flat body, a form, XML, and the path without events/', async () => {
    const flat = await system.api('POST', `${event}/guest_fields.json`, { key: 'flat' })
    expect([flat.status, flat.body.type]).toEqual([201, 'text'])
    const form = await system.api('POST', path('.json'), 'guest_field[key]=form&guest_field[available_values][]=a', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([form.status, form.body.available_values]).toEqual([201, ['a']])
    const document = await xml(
      'POST',
      path('.xml'),
      '<guest-field><key>document</key><use-in-export>true</use-in-export><available-values type="array"><available-value>x</available-value><available-value>y</available-value></available-values></guest-field>',
    )
    expect(document.status).toBe(201)
    expect(document.text).toContain('<use-in-export type="boolean">true</use-in-export>')
    expect(document.text).toContain(
      '<available-values type="array"><available-value>x</available-value><available-value>y</available-value></available-values>',
    )
    const { body } = await system.api('GET', path('.json'))
    expect(body.map(({ key }: { key: string }) => key)).toEqual(['flat', 'form', 'document'])
  })

  test('the label is the key where it is not given', async () => {
    expect((await made({ key: 'a' })).label).toBe('a')
    const { _id, label } = await made({ key: 'b', label: ' ' })
    expect(label).toBe('b')
    await system.api('PUT', path(`/${_id}.json`), { label: 'B' })
    await system.api('PUT', path(`/${_id}.json`), { label: null })
    expect((await system.api('GET', path(`/${_id}.json`))).body.label).toBe('b')
  })

  test('a key is needed and a type is one of three', async () => {
    const { status, body } = await system.api('POST', path('.json'), { guest_field: { type: 'number' } })
    expect(status).toBe(422)
    expect(body.errors).toEqual({ key: ["can't be blank"], type: ['is not one of text, file, value_list'] })
  })

  test('a file is not asked for in a registration: 422 on use_in_registration, alone, in a batch and in an update', async () => {
    const errors = { use_in_registration: ["can't be set for a file"] }
    const wrong = { key: 'photo', type: 'file', use_in_registration: true }
    const alone = await system.api('POST', path('.json'), wrong)
    expect([alone.status, alone.body]).toEqual([422, { errors }])
    const batch = await system.api('POST', path('/batch_create.json'), [wrong, { key: 'diet', use_in_registration: 1 }])
    expect([batch.status, batch.body]).toMatchObject([422, [{ errors }, { key: 'diet', use_in_registration: true }]])
    const { _id } = batch.body[1]
    const changed = await system.api('PUT', path(`/${_id}.json`), { type: 'file' })
    expect([changed.status, changed.body]).toEqual([422, { errors }])
    expect((await system.api('PUT', path(`/${_id}.json`), { is_required: true })).status).toBe(204)
  })

  test('a key is unique in its event: 422 on key', async () => {
    await made({ key: 'diet' })
    const second = await system.api('POST', path('.json'), { key: 'diet' })
    expect([second.status, second.body]).toEqual([422, { errors: { key: ['has already been taken'] } }])
    const document = await xml('POST', path('.xml'), '<guest-field><key>diet</key></guest-field>')
    expect(document.status).toBe(422)
    expect(document.text).toContain('<errors><error>Key has already been taken</error></errors>')
    const { _id } = await made({ key: 'other' })
    const renamed = await system.api('PUT', path(`/${_id}.json`), { guest_field: { key: 'diet' } })
    expect([renamed.status, renamed.body]).toEqual([422, { errors: { key: ['has already been taken'] } }])
    const same = await system.api('PUT', path(`/${_id}.json`), { guest_field: { key: 'other' } })
    expect(same.status).toBe(204)
  })

  test('parallel creations with one key: exactly one is stored', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => system.api('POST', path('.json'), { key: 'race' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)])
  })

  test('the same key may stand in another event', async () => {
    await made({ key: 'diet' })
    const { body: other } = await system.api('POST', 'events.json', { title: 'Other', account_id: system.account_id })
    const answer = await system.api('POST', `events/${other._id}/guest_fields.json`, { key: 'diet' })
    expect(answer.status).toBe(201)
  })

  test('update answers 204 and changes the given fields only; with Prefer it shows the field', async () => {
    const field = await made({ key: 'diet', label: 'Diet', available_values: ['a'] })
    const answer = await system.api('PUT', path(`/${field._id}.json`), { guest_field: { label: 'Food' } })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const { body } = await system.api('GET', path(`/${field._id}.json`))
    expect(body).toEqual({ ...field, label: 'Food', updated_at: body.updated_at })
    expect(body.updated_at > field.updated_at).toBe(true)
    const document = await xml('PUT', path(`/${field._id}.xml`), '<guest-field><label>Meal</label></guest-field>')
    expect(document.status).toBe(204)
    const shown = await system.api(
      'PUT',
      path(`/${field._id}.json`),
      { available_values: [] },
      { headers: { prefer: 'return=representation' } },
    )
    expect([shown.status, shown.body.label, shown.body.available_values]).toEqual([200, 'Meal', []])
  })

  test('a batch under the root key guest_fields answers 201 with the fields in order', async () => {
    const { status, body } = await system.api('POST', path('/batch_create.json'), {
      guest_fields: [
        { key: 'a', use_in_export: 'true' },
        { key: 'b', type: 'file' },
      ],
    })
    expect(status).toBe(201)
    expect(body.map(({ key, label }: { key: string; label: string }) => [key, label])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ])
    const document = await xml(
      'POST',
      path('/batch_create.xml'),
      '<guest-fields type="array"><guest-field><key>c</key></guest-field><guest-field><key>d</key></guest-field></guest-fields>',
    )
    expect(document.status).toBe(201)
    expect(document.text).toMatch(/<guest-fields type="array"><guest-field>.*<key>c<.*<key>d</s)
  })

  test('each item of a batch is validated by itself: 422, the valid ones are stored, the others have their errors in their place', async () => {
    await made({ key: 'taken' })
    const { status, body } = await system.api('POST', path('/batch_create.json'), [
      { key: 'good' },
      { key: 'taken' },
      { label: 'no key' },
      { key: 'good' },
      { key: 'fine' },
    ])
    expect(status).toBe(422)
    expect(body).toMatchObject([
      { key: 'good', event_id: event },
      { errors: { key: ['has already been taken'] } },
      { errors: { key: ["can't be blank"] } },
      { errors: { key: ['has already been taken'] } },
      { key: 'fine', event_id: event },
    ])
    const { body: list } = await system.api('GET', path('.json'))
    expect(list.map(({ key }: { key: string }) => key).sort()).toEqual(['fine', 'good', 'taken'])
  })

  test('a batch sent again with its Idempotency-Key stores nothing twice', async () => {
    const send = (): Promise<Answer> =>
      system.api('POST', path('/batch_create.json'), [{ key: 'x' }, { key: 'y' }], {
        headers: { 'idempotency-key': `fields-${event}` },
      })
    const [first, second] = [await send(), await send()]
    expect(second.status).toBe(201)
    expect(second.body).toEqual(first.body)
  })

  test('the list is an empty array at first, in JSON and XML, and takes page=1', async () => {
    expect((await system.api('GET', path('.json'))).body).toEqual([])
    expect((await system.api('GET', path('.xml?page=1'))).text).toContain('<guest-fields type="array"/>')
  })

  test("an unknown id, and another event's field, are 404", async () => {
    const { _id } = await made({ key: 'diet' })
    const { body: other } = await system.api('POST', 'events.json', { title: 'Other', account_id: system.account_id })
    for (const to of [path('/unknown.json'), `events/${other._id}/guest_fields/${_id}.json`]) {
      expect((await system.api('GET', to)).status).toBe(404)
      expect((await system.api('PUT', to, { label: 'x' })).status).toBe(404)
    }
    expect((await system.api('GET', path(`/${_id}.json`))).body.label).toBe('diet')
  })
})
