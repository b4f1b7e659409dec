import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { promoCodes } from './resource.ts'

const system = await sharedSystem()

describe('discount codes', () => {
  let testEvent: TestEvent

  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
  })

  const made = (fields: object): Promise<Answer['body']> => testEvent.make('promo_codes.json', { promo_code: fields })
  const change = (id: string, fields: object): Promise<Answer> => testEvent.api('PUT', `promo_codes/${id}.json`, fields)
  const read = (id: string): Promise<Answer['body']> => testEvent.read(`promo_codes/${id}.json`)

  describe('creation', () => {
    test('with the root key promo_code answers 201 with the code, its text upper-cased', async () => {
      const fields = { label: 'Summer', amount: 12.5, max_usage: 100, percentage_of_total: false }
      const code = await made({ text: 'summer-26', ...fields })
      expect(code).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        text: 'SUMMER-26',
        ...fields,
        times_used: 0,
        is_enabled: true,
        start_date: null,
        end_date: null,
        searchable_keywords: ['summer-26', '12.5'],
        timezone: 'UTC',
        event_id: testEvent.id,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: code.created_at,
      })
      expect(await read(code._id)).toEqual(code)
    })

    test('with the text alone: no label, no amount, any number of uses, no dates', async () => {
      expect(await made({ text: 'x' })).toMatchObject({
        label: null,
        amount: 0,
        percentage_of_total: false,
        max_usage: -1,
        start_date: null,
        end_date: null,
        searchable_keywords: ['x', '0'],
      })
    })

    test.each<[string, object, object]>([
      ['no text', {}, { text: ["can't be blank"] }],
      ['a blank text', { text: '  ' }, { text: ["can't be blank"] }],
      ['a text too long', { text: 'x'.repeat(256) }, { text: ['is too long (maximum is 255 characters)'] }],
      [
        'a text too long in upper case',
        { text: 'ß'.repeat(128) },
        { text: ['is too long (maximum is 255 characters)'] },
      ],
      ['a negative amount', { text: 'a', amount: -0.01 }, { amount: ['must be greater than or equal to 0'] }],
      ['an amount that is none', { text: 'a', amount: '12 €' }, { amount: ['is not a number'] }],
      [
        'a share above 1',
        { text: 'a', amount: 1.01, percentage_of_total: 'true' },
        { amount: ['must be less than or equal to 1, as a share of the total'] },
      ],
      ['max_usage below -1', { text: 'a', max_usage: -2 }, { max_usage: ['must be greater than or equal to -1'] }],
      ['max_usage that is not whole', { text: 'a', max_usage: 1.5 }, { max_usage: ['is not a whole number'] }],
      [
        'an end before the start',
        { text: 'a', start_date: '2026-05-02', end_date: '2026-05-01T23:59:59Z' },
        { end_date: ["can't be before start_date"] },
      ],
      ['an unreadable date', { text: 'a', end_date: 'soon' }, { end_date: ['is not a valid date-time'] }],
    ])('refuses %s: 422 on the field', async (_, fields, errors) => {
      expect(await testEvent.refused('promo_codes.json', fields)).toEqual(errors)
      expect(await testEvent.read('promo_codes.json')).toEqual([])
    })

    test('takes the largest and smallest allowed values', async () => {
      expect(await made({ text: 'x'.repeat(255), amount: 1, percentage_of_total: true })).toMatchObject({ amount: 1 })
      expect(await made({ text: 'zero', amount: 0, max_usage: 0 })).toMatchObject({ amount: 0, max_usage: 0 })
      const at = '2026-05-01T00:00:00.000Z'
      expect(await made({ text: 'moment', start_date: at, end_date: at })).toMatchObject({ start_date: at })
    })
  })

  describe('the text', () => {
    test.each([
      ['summer', 'SUMMER'],
      ['straße', 'STRASSE'],
      ['istanbul', 'İSTANBUL'],
      [' été ', 'ÉTÉ'],
    ])('stands once in an event whatever the case: %s and %s', async (first, second) => {
      await made({ text: first })
      const errors = { text: ['has already been taken'] }
      expect(await testEvent.refused('promo_codes.json', { text: second })).toEqual(errors)
      const { _id } = await made({ text: 'other' })
      expect(await testEvent.refused(`promo_codes/${_id}.json`, { text: second }, 'PUT')).toEqual(errors)
    })

    test('may stand in another event, and again after its code was deleted', async () => {
      const { _id } = await made({ text: 'again' })
      const other = await TestEvent.open(system)
      await other.make('promo_codes.json', { text: 'AGAIN' })
      await testEvent.remove(`promo_codes/${_id}.json`)
      expect((await made({ text: 'Again' }))._id).not.toBe(_id)
    })

    test('parallel creations in any case: exactly one is stored', async () => {
      const texts = Array.from({ length: 40 }, (_, index) => (index % 2 ? 'race' : 'RACE'))
      const answers = await Promise.all(
        texts.map((text, index) =>
          testEvent.api('POST', 'promo_codes.json', { text }, { base: system.urls[index % 2] as string }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(39).fill(422)])
      expect(await testEvent.read('promo_codes.json')).toHaveLength(1)
    })
  })

  describe('update', () => {
    test('changes the given fields only', async () => {
      const code = await made({ text: 'one', label: 'One', amount: 5, max_usage: 3 })
      await testEvent.change(`promo_codes/${code._id}.json`, { promo_code: { text: 'uno', is_enabled: 'false' } })
      const changed = await read(code._id)
      expect(changed).toEqual({
        ...code,
        text: 'UNO',
        is_enabled: false,
        searchable_keywords: ['uno', '5'],
        updated_at: changed.updated_at,
      })
      expect(changed.updated_at > code.updated_at).toBe(true)
      const document = '<promo-code><label nil="true"/><amount>0</amount><max-usage>-1</max-usage></promo-code>'
      expect((await testEvent.xml('PUT', `promo_codes/${code._id}.xml`, document)).status).toBe(204)
      const cleared = { text: 'UNO', label: null, amount: 0, max_usage: -1, searchable_keywords: ['uno', '0'] }
      expect(await read(code._id)).toMatchObject(cleared)
    })

    test('an amount or percentage_of_total by itself is validated with the stored fields: 422 on amount', async () => {
      const errors = { amount: ['must be less than or equal to 1, as a share of the total'] }
      const flat = await made({ text: 'flat', amount: 20 })
      const share = await made({ text: 'share', amount: 0.2, percentage_of_total: true })
      for (const [{ _id }, fields] of [
        [flat, { percentage_of_total: true }],
        [share, { amount: 20 }],
      ])
        expect(await testEvent.refused(`promo_codes/${_id}.json`, fields, 'PUT')).toEqual(errors)
      expect((await change(flat._id, { percentage_of_total: true, amount: 0.5 })).status).toBe(204)
      expect((await change(share._id, { percentage_of_total: false, amount: 20 })).status).toBe(204)
    })

    test('one date by itself is validated with the stored other one: 422 on end_date; null removes it', async () => {
      const code = await made({ text: 'dated', start_date: '2026-05-01', end_date: '2026-05-31' })
      for (const fields of [{ start_date: '2026-06-01' }, { end_date: '2026-04-30' }]) {
        const errors = await testEvent.refused(`promo_codes/${code._id}.json`, fields, 'PUT')
        expect(errors).toEqual({ end_date: ["can't be before start_date"] })
      }
      expect((await change(code._id, { end_date: null })).status).toBe(204)
      expect((await change(code._id, { start_date: '2026-06-01' })).status).toBe(204)
      expect(await read(code._id)).toMatchObject({ start_date: '2026-06-01T00:00:00.000Z', end_date: null })
    })

    test('parallel changes that are allowed each but not together: one is refused', slow, async () => {
      for (let round = 0; round < 10; round++) {
        const { _id } = await made({ text: `both-${round}`, amount: 0.5 })
        const answers = await Promise.all([change(_id, { amount: 30 }), change(_id, { percentage_of_total: true })])
        expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
        const { amount, percentage_of_total } = await read(_id)
        expect([
          [30, false],
          [0.5, true],
        ]).toContainEqual([amount, percentage_of_total])
      }
    })

    test('null is no text, amount or limit: 422 on the field', async () => {
      const { _id } = await made({ text: 'kept' })
      const fields = { text: null, amount: null, max_usage: null, is_enabled: null }
      const errors = await testEvent.refused(`promo_codes/${_id}.json`, fields, 'PUT')
      expect(Object.keys(errors).sort()).toEqual(Object.keys(fields).sort())
    })
  })

  test('is deleted once', async () => {
    const { _id } = await made({ text: 'one' })
    await testEvent.remove(`promo_codes/${_id}.json`)
    for (const method of ['GET', 'DELETE']) expect(await testEvent.status(method, `promo_codes/${_id}.json`)).toBe(404)
  })

  test("another event's code is 404", async () => {
    const { _id } = await made({ text: 'here' })
    const other = await TestEvent.open(system)
    for (const [method, body] of [['GET'], ['PUT', { label: 'x' }], ['DELETE']] as const)
      expect(await other.status(method, `promo_codes/${_id}.json`, body)).toBe(404)
    expect((await read(_id)).label).toBe(null)
  })

  describe('the list', () => {
    test('is an empty array at first, then newest creation first', async () => {
      expect(await testEvent.read('promo_codes.json')).toEqual([])
      for (const text of ['a', 'b', 'c']) await made({ text })
      expect(await testEvent.read('promo_codes.json?page=1')).toMatchObject([
        { text: 'C' },
        { text: 'B' },
        { text: 'A' },
      ])
    })

    test('comes in pages of 500 until the empty one', slow, async () => {
      const client = clientOf(system.bus, promoCodes)
      const numbers = Array.from({ length: 505 }, (_, index) => index)
      await Promise.all(
        numbers.map((number) => client.create({ params: { event_id: testEvent.id }, body: body(`n${number}`) })),
      )
      const pages = [1, 2, 3].map((page) => testEvent.read(`promo_codes.json?page=${page}`))
      expect((await Promise.all(pages)).map(({ length }) => length)).toEqual([500, 5, 0])
      const ids = (await testEvent.all('promo_codes.json', 60)).map(({ _id }) => _id)
      expect(new Set(ids).size).toBe(505)
      expect(ids).toEqual((await testEvent.all('promo_codes.json')).map(({ _id }) => _id))
    })

    test('earlier creations and deletions are respected on every page', async () => {
      const codes = []
      for (let number = 0; number < 6; number++) codes.push(await made({ text: `n${number}` }))
      const page = async (number: number): Promise<string[]> =>
        (await testEvent.read(`promo_codes.json?page=${number}&per_page=2`)).map(({ text }: { text: string }) => text)
      expect([await page(1), await page(2)]).toEqual([
        ['N5', 'N4'],
        ['N3', 'N2'],
      ])
      await made({ text: 'new' })
      expect(await page(2)).toEqual(['N4', 'N3'])
      await testEvent.remove(`promo_codes/${codes[5]._id}.json`)
      expect([await page(1), await page(2)]).toEqual([
        ['NEW', 'N4'],
        ['N3', 'N2'],
      ])
    })
  })

  describe('for another service', () => {
    test('a code is created once for each key, and deleted by its id, without a caller', async () => {
      const client = clientOf(system.bus, promoCodes)
      const question = {
        params: { event_id: testEvent.id },
        body: body('campaign'),
        idempotency_key: `campaign-${testEvent.id}`,
      }
      const { _id } = await client.create(question)
      expect((await client.create(question))._id).toBe(_id)
      await expect(client.create({ ...question, idempotency_key: 'another' })).rejects.toMatchObject({
        code: 'invalid',
        errors: { text: ['has already been taken'] },
      })
      const at = { params: { event_id: testEvent.id, id: _id } }
      await client.delete(at)
      await expect(client.delete(at)).rejects.toMatchObject({ code: 'not_found' })
    })
  })
})

function body(text: string) {
  return {
    text,
    label: null,
    amount: 0.1,
    percentage_of_total: true,
    max_usage: 5,
    is_enabled: true,
    start_date: null,
    end_date: null,
    timezone: 'UTC',
  }
}
