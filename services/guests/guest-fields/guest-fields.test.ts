import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const PATH = 'guest_fields'
const TAKEN = { key: ['has already been taken'] }

describe('guest fields', () => {
  let event: TestEvent

  beforeEach(async () => {
    event = await TestEvent.open(system)
  })

  const made = (fields: object): Promise<Answer['body']> => event.make(`${PATH}.json`, { guest_field: fields })
  const read = (id: string): Promise<Answer['body']> => event.read(`${PATH}/${id}.json`)

  test('creation answers 201 with the field; use_in_export comes as a string', async () => {
    const fields = { key: 'diet', label: 'Diet', type: 'value_list', use_in_export: 'true' }
    const field = await made(fields)
    expect(field).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      ...fields,
      use_in_export: true,
      use_in_registration: false,
      is_required: false,
      on_device: false,
      available_values: [],
      object_id: event.id,
      event_id: event.id,
      created_at: expect.stringMatching(/Z$/),
      updated_at: field.created_at,
    })
    expect(await read(field._id)).toEqual(field)
  })

  test(
    'a list that comes whole is all of page 1 and empty on any further page (docs/interface.md 1.14)',
    slow,
    async () => {
      await made({ key: 'diet' })
      await event.point()
      await event.category()
      for (const path of ['exhibitors', 'partners']) await event.make(`${path}.json`, { name: 'Acme' })
      for (const list of [PATH, 'accesspoints', 'guest_categories', 'exhibitors', 'partners']) {
        const whole = await event.read(`${list}.json`)
        expect(whole.length, list).toBe(1)
        expect(await event.read(`${list}.json?page=1&per_page=1`)).toEqual(whole)
        for (const past of ['page=2', 'page=2&per_page=1', 'page=1000000'])
          expect(await event.read(`${list}.json?${past}`)).toEqual([])
        expect((await event.api('GET', `${list}.xml?page=2`)).text).toMatch(/type="array"\/>$/)
        for (const bad of ['page=0', 'page=x', 'page=-1']) {
          expect(Object.keys(await event.refused(`${list}.json?${bad}`, undefined, 'GET'))).toEqual(['page'])
        }
      }
      expect((await system.api('GET', 'events.json?page=2')).body).toEqual([])
    },
  )

  test('the label is the key where it is not given', async () => {
    expect((await made({ key: 'a' })).label).toBe('a')
    const { _id, label } = await made({ key: 'b', label: ' ' })
    expect(label).toBe('b')
    for (const label of ['B', null]) await event.change(`${PATH}/${_id}.json`, { label })
    expect((await read(_id)).label).toBe('b')
  })

  test('a key is needed and a type is one of three', async () => {
    expect(await event.refused(`${PATH}.json`, { guest_field: { type: 'number' } })).toEqual({
      key: ["can't be blank"],
      type: ['is not one of text, file, value_list'],
    })
  })

  test('a file is not shown on devices: 422 on on_device', async () => {
    const errors = { on_device: ["can't be set for a file"] }
    const wrong = { key: 'photo', type: 'file', on_device: true }
    expect(await event.refused(`${PATH}.json`, wrong)).toEqual(errors)
    const { _id } = await made({ key: 'seat', on_device: true })
    expect(await event.refused(`${PATH}/${_id}.json`, { type: 'file' }, 'PUT')).toEqual(errors)
    expect(await read(_id)).toMatchObject({ type: 'text', on_device: true })
  })

  test('a file is not asked for in a registration: 422 on use_in_registration, alone, in a batch and in an update', async () => {
    const errors = { use_in_registration: ["can't be set for a file"] }
    const wrong = { key: 'photo', type: 'file', use_in_registration: true }
    expect(await event.refused(`${PATH}.json`, wrong)).toEqual(errors)
    const items = [wrong, { key: 'diet', use_in_registration: 1 }]
    const batch = await event.api('POST', `${PATH}/batch_create.json`, items)
    expect([batch.status, batch.body]).toMatchObject([422, [{ errors }, { key: 'diet', use_in_registration: true }]])
    const path = `${PATH}/${batch.body[1]._id}.json`
    expect(await event.refused(path, { type: 'file' }, 'PUT')).toEqual(errors)
    await event.change(path, { is_required: true })
  })

  test('a key is unique in its event: 422 on key, on creation and on update', async () => {
    await made({ key: 'diet' })
    expect(await event.refused(`${PATH}.json`, { key: 'diet' })).toEqual(TAKEN)
    const { _id } = await made({ key: 'other' })
    expect(await event.refused(`${PATH}/${_id}.json`, { key: 'diet' }, 'PUT')).toEqual(TAKEN)
    await event.change(`${PATH}/${_id}.json`, { key: 'other' })
    await (await TestEvent.open(system)).make(`${PATH}.json`, { key: 'diet' })
  })

  test('parallel creations with one key: exactly one is stored', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => event.status('POST', `${PATH}.json`, { key: 'race' })),
    )
    expect(statuses.sort()).toEqual([201, ...Array(19).fill(422)])
  })

  test('update changes the given fields only', async () => {
    const field = await made({ key: 'diet', label: 'Diet', available_values: ['a'] })
    await event.change(`${PATH}/${field._id}.json`, { label: 'Food' })
    const changed = await read(field._id)
    expect(changed).toEqual({ ...field, label: 'Food', updated_at: changed.updated_at })
    expect(changed.updated_at > field.updated_at).toBe(true)
    await event.change(`${PATH}/${field._id}.json`, { available_values: [] })
    expect(await read(field._id)).toMatchObject({ label: 'Food', available_values: [] })
  })

  test('each item of a batch is validated by itself: 422, the valid ones are stored, the others have their errors in their place', async () => {
    await made({ key: 'taken' })
    const items = [{ key: 'good' }, { key: 'taken' }, { label: 'no key' }, { key: 'good' }, { key: 'fine' }]
    const { status, body } = await event.api('POST', `${PATH}/batch_create.json`, items)
    expect([status, body]).toMatchObject([
      422,
      [
        { key: 'good', label: 'good', event_id: event.id },
        { errors: TAKEN },
        { errors: { key: ["can't be blank"] } },
        { errors: TAKEN },
        { key: 'fine', label: 'fine', event_id: event.id },
      ],
    ])
    const list = await event.read(`${PATH}.json`)
    expect(list.map(({ key }: { key: string }) => key).sort()).toEqual(['fine', 'good', 'taken'])
  })

  test("another event's field is 404", async () => {
    const { _id } = await made({ key: 'diet' })
    const other = await TestEvent.open(system)
    expect(await other.status('GET', `${PATH}/${_id}.json`)).toBe(404)
    expect(await other.status('PUT', `${PATH}/${_id}.json`, { label: 'x' })).toBe(404)
    expect((await read(_id)).label).toBe('diet')
  })
})
