import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type NewPromoCode, PromoCodeStore } from './store.ts'

const CODES = 1_000
const START = Date.UTC(2027, 0, 1)

describe('discount codes are found by an index', () => {
  const database = new OwnDatabase()
  const { db } = database
  const store = new PromoCodeStore(db)

  beforeAll(async () => {
    await store.prepare()
    for (let from = 0; from < CODES; from += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => store.insert(codeOf(from + index))))
    }
  })

  function codeOf(number: number): NewPromoCode {
    const at = new Date(START + number * 1000)
    return {
      _id: number.toString(16).padStart(24, '0'),
      text: `CODE-${number}`,
      label: null,
      amount: 1,
      percentage_of_total: false,
      max_usage: -1,
      is_enabled: true,
      start_date: null,
      end_date: null,
      timezone: 'UTC',
      event_id: number % 2 ? 'event' : 'another',
      created_at: at,
      updated_at: at,
    }
  }

  const page = (number: number) => () => store.page('event', { page: number, per_page: 50 })
  const LIST = 'event_id_1_created_at_-1__id_-1'

  test('the list: found and ordered by it, with no document read in vain', async () => {
    const [, plans] = await database.plansOf(page(1))
    expect(plans).toEqual([{ indexes: [LIST], sorts: false, read: 50 }])
  })

  test('another page: only its own documents are read whole', async () => {
    const [codes, queries] = await database.queriesOf(page(3))
    const asked = queries.map(({ filter, projection, skip }) => ({ filter, projection, skip }))
    expect(asked).toContainEqual({ filter: { event_id: 'event' }, projection: { _id: 1 }, skip: 100 })
    const projection = { text_key: 0, revision: 0 }
    expect(asked).toContainEqual({ filter: { _id: { $in: codes.map(({ _id }) => _id) } }, projection })
    expect(codes).toHaveLength(50)
  })

  test('a text, whatever its case', async () => {
    const [code, [query]] = await database.plansOf(() => store.findByText('event', 'code-77'))
    expect(query).toMatchObject({ indexes: ['event_id_1_text_key_1'] })
    expect(query?.read).toBeLessThanOrEqual(1)
    expect(code?.text).toBe('CODE-77')
    expect(await store.findByText('another', 'code-77')).toBe(null)
  })
})
