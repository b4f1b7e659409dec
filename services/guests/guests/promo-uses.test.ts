// @module-tag slow
import { promoCodes } from '@gatehouse/promo/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Body } from '@gatehouse/proto/declaring/resource.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { guests } from './resource.ts'

const system = await sharedSystem()

const HOUR = 3_600_000
const at = (ms: number): string => new Date(Date.now() + ms).toISOString()

describe('a discount code and the guests who use it', () => {
  let testEvent: TestEvent
  let category: string

  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
  })

  /** A new discount code's id. */
  const code = async (text: string, fields: object = {}): Promise<string> =>
    (await testEvent.make('promo_codes.json', { text, amount: 5, ...fields }))._id
  const change = (id: string, fields: object): Promise<void> => testEvent.change(`promo_codes/${id}.json`, fields)
  const timesUsed = async (id: string): Promise<number> => (await testEvent.read(`promo_codes/${id}.json`)).times_used
  const guest = (promo_code: unknown) => ({ guest_category_id: category, last_name: 'L', promo_code })
  const register = (promo_code: unknown, fields: object = {}): Promise<Answer> =>
    testEvent.api('POST', 'guests.json', { ...guest(promo_code), ...fields })
  /** The ids of guests who use it, one after another. */
  const used = async (promo_code: string, times: number): Promise<string[]> => {
    const ids: string[] = []
    for (let time = 0; time < times; time++)
      ids.push(await testEvent.guest(category, crypto.randomUUID(), { promo_code }))
    return ids
  }
  const body = (promo_code: string) => {
    const { value } = readerOf(guests.actions.create.body)(guest(promo_code))
    return value as Body<(typeof guests)['actions']['create']>
  }
  const refusal = (sentence: string) => ({ errors: { promo_code: [sentence] } })

  /** Creates many guests at once, at both gateways. Returns the ids of those who were admitted; the others must be refused as used up. */
  async function rush(promo_code: string, count: number): Promise<string[]> {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        testEvent.api('POST', 'guests.json', guest(promo_code), { base: system.urls[index % 2] as string }),
      ),
    )
    const [created = [], refused = []] = [201, 422].map((each) => answers.filter(({ status }) => status === each))
    expect(created.length + refused.length).toBe(count)
    for (const { body } of refused) expect(body).toEqual(refusal('has been used up'))
    return created.map(({ body }) => body._id)
  }

  describe('creation', () => {
    test('with promo_code uses the code, in any case, and shows its text from then on', async () => {
      const id = await code('Straße', { max_usage: 3 })
      for (const text of ['straße', 'STRASSE', ' Strasse ']) {
        const { status, body } = await register(text)
        expect([status, body.promo_code]).toEqual([201, 'STRASSE'])
        expect((await testEvent.read(`guests/${body._id}.json`)).promo_code).toBe('STRASSE')
      }
      expect(await timesUsed(id)).toBe(3)
      expect(await testEvent.read('promo_codes.json')).toMatchObject([{ times_used: 3 }])
      expect(await testEvent.read('guests.json')).toMatchObject(Array(3).fill({ promo_code: 'STRASSE' }))
    })

    test('without a code, or with a blank one, uses none', async () => {
      const id = await code('none')
      for (const promo_code of [undefined, null, '', '  ']) {
        const { status, body } = await register(promo_code)
        expect([status, body.promo_code]).toEqual([201, null])
      }
      expect(await timesUsed(id)).toBe(0)
    })

    test.each<[string, object, string]>([
      ['is unknown', { text: 'OTHER' }, 'is not a discount code of the event'],
      ['is disabled', { is_enabled: false }, 'is disabled'],
      ['begins later', { start_date: at(HOUR) }, 'is not valid yet'],
      ['has ended', { end_date: at(-HOUR) }, 'is no longer valid'],
      ['has no use left', { max_usage: 0 }, 'has been used up'],
    ])('with a code that %s is refused: 422 on promo_code, and no guest is registered', async (_, fields, sentence) => {
      const id = await code('given', fields)
      const { status, body } = await register('given')
      expect([status, body]).toEqual([422, refusal(sentence)])
      expect([await timesUsed(id), await testEvent.read('guests.json')]).toEqual([0, []])
    })

    test('between its dates the code can be used', async () => {
      await code('now', { start_date: at(-HOUR), end_date: at(HOUR) })
      expect((await register('now')).status).toBe(201)
    })

    test('a code of another event, or a deleted one, is unknown', async () => {
      const other = await TestEvent.open(system)
      await other.make('promo_codes.json', { text: 'theirs' })
      const id = await code('gone')
      await testEvent.remove(`promo_codes/${id}.json`)
      for (const text of ['theirs', 'gone']) {
        expect((await register(text)).body).toEqual(refusal('is not a discount code of the event'))
      }
    })

    test('names the code among all errors', async () => {
      const { body } = await register('nothing', { last_name: null, guest_category_id: 'x' })
      expect(Object.keys(body.errors).sort()).toEqual(['guest_category_id', 'last_name', 'promo_code'])
    })

    test('a creation that fails for another reason uses nothing: an unknown category, a uid that is taken', async () => {
      const id = await code('once', { max_usage: 1 })
      await testEvent.guest(category, 'taken')
      for (let round = 0; round < 3; round++) {
        const unknown = await register('once', { guest_category_id: 'f'.repeat(24) })
        expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['guest_category_id']])
        const taken = await register('once', { uid: 'taken' })
        expect([taken.status, taken.body]).toEqual([422, { errors: { uid: ['has already been taken'] } }])
      }
      expect(await timesUsed(id)).toBe(0)
      expect((await register('once')).status).toBe(201)
    })

    test('retried with its Idempotency-Key uses the code once, even the last use of a code that was disabled since', async () => {
      const id = await code('retry', { max_usage: 1 })
      const client = clientOf(system.bus, guests)
      const idempotency_key = `use-${testEvent.id}`
      const question = { params: { event_id: testEvent.id }, body: body('retry'), idempotency_key }
      const first = await client.create(question)
      await change(id, { is_enabled: false })
      // As after a crash that came between storing and answering: the answer is not remembered, what is stored is.
      await forgetAnswers(system)
      expect(await client.create(question)).toMatchObject({ _id: first._id, uid: first.uid })
      expect(await timesUsed(id)).toBe(1)
      expect(await testEvent.read('guests.json')).toHaveLength(1)
    })

    test('needs the promo service only with a code: 503 otherwise', async () => {
      const alone = await startSystem()
      try {
        const event = await TestEvent.open(alone)
        const other = { guest_category_id: await event.category(), last_name: 'L' }
        await event.make('guests.json', other)
        const refused = await event.api('POST', 'guests.json', { ...other, promo_code: 'x' })
        expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
        expect(await event.read('guests.json')).toHaveLength(1)
      } finally {
        await alone.stop()
      }
    })
  })

  describe('afterwards', () => {
    test('deleting the guest gives the use back', async () => {
      const id = await code('back', { max_usage: 2 })
      const [first = ''] = await used('back', 2)
      expect((await register('back')).status).toBe(422)
      await testEvent.remove(`guests/${first}.json`)
      expect(await timesUsed(id)).toBe(1)
      await used('back', 1)
      expect([(await register('back')).status, await timesUsed(id)]).toEqual([422, 2])
    })

    test('a PUT changes everything but the code, and uses none', async () => {
      const [id, other] = [await code('kept'), await code('other')]
      const [guest = ''] = await used('kept', 1)
      const fields = { last_name: 'New', promo_code: 'other', guest_category_id: category }
      await testEvent.change(`guests/${guest}.json`, fields)
      await testEvent.change(`guests/${guest}.json`, { promo_code: null, promo_use: 1, promo_code_id: other })
      expect(await testEvent.read(`guests/${guest}.json`)).toMatchObject({ last_name: 'New', promo_code: 'KEPT' })
      expect([await timesUsed(id), await timesUsed(other)]).toEqual([1, 0])
      await testEvent.change(`guests/${guest}.json`, { guest_category_id: await testEvent.category('Another') })
      expect(await timesUsed(id)).toBe(1)
    })

    test('guests keep the text that they used when the code is renamed or deleted', async () => {
      const id = await code('old')
      const [guest] = await used('old', 1)
      await change(id, { text: 'new' })
      expect(await timesUsed(id)).toBe(1)
      expect((await register('old')).status).toBe(422)
      await testEvent.remove(`promo_codes/${id}.json`)
      const again = await code('old', { max_usage: 1 })
      expect(await timesUsed(again)).toBe(0)
      expect((await testEvent.read(`guests/${guest}.json`)).promo_code).toBe('OLD')
      await used('old', 1)
    })

    test('a limit that is lowered below the uses keeps the guests, and admits no more until uses are given back', async () => {
      const id = await code('lower', { max_usage: 6 })
      const ids = await used('lower', 6)
      await change(id, { max_usage: 4 })
      expect([(await register('lower')).status, await timesUsed(id)]).toEqual([422, 6])
      for (const each of ids.slice(0, 2)) await testEvent.remove(`guests/${each}.json`)
      expect([(await register('lower')).status, await timesUsed(id)]).toEqual([422, 4])
      await testEvent.remove(`guests/${ids[5]}.json`)
      await used('lower', 1)
      expect([(await register('lower')).status, await timesUsed(id)]).toEqual([422, 4])
      await change(id, { max_usage: -1 })
      await used('lower', 2)
      await change(id, { max_usage: 6 })
      expect([(await register('lower')).status, await timesUsed(id)]).toEqual([422, 6])
      await change(id, { max_usage: 7 })
      await used('lower', 1)
      expect((await register('lower')).status).toBe(422)
    })

    test('the list counts the uses of all its codes', async () => {
      for (const [index, text] of ['a', 'b', 'c'].entries()) {
        await code(text, { max_usage: index === 1 ? -1 : 5 })
        await used(text, index + 1)
      }
      const list = [
        { text: 'C', times_used: 3 },
        { text: 'B', times_used: 2 },
        { text: 'A', times_used: 1 },
      ]
      expect(await testEvent.read('promo_codes.json')).toMatchObject(list)
      expect(await testEvent.read('promo_codes.json?page=2&per_page=2')).toMatchObject(list.slice(2))
    })
  })

  describe('never more uses than max_usage', () => {
    test('200 guests at once on a code with 7 uses left: exactly 7 are admitted', async () => {
      for (let round = 0; round < rounds(3, 100); round++) {
        const before = round % 3
        const id = await code(`round-${round}`, { max_usage: 7 + before })
        await used(`round-${round}`, before)
        const came = await rush(`round-${round}`, 200)
        expect([came.length, await timesUsed(id)]).toEqual([7, 7 + before])
      }
    })

    test('nor after guests left gaps and the limit was lowered', async () => {
      for (let round = 0; round < rounds(1, 20); round++) {
        const text = `gaps-${round}`
        const id = await code(text, { max_usage: 12 })
        const ids = await used(text, 12)
        // The first six of twelve go; a limit of 9 admits three more, while six numbers are free.
        await Promise.all(ids.slice(0, 6).map((each) => testEvent.remove(`guests/${each}.json`)))
        await change(id, { max_usage: 9 })
        const created = await rush(text, 40)
        expect([created.length, await timesUsed(id)]).toEqual([3, 9])
        await Promise.all(ids.slice(10).map((each) => testEvent.remove(`guests/${each}.json`)))
        expect([(await rush(text, 40)).length, await timesUsed(id)]).toEqual([2, 9])
      }
    })

    test('while guests come and go, and in the end all remaining uses can be taken', async () => {
      const id = await code('busy', { max_usage: 10 })
      let most = 0
      let isRunning = true
      const client = clientOf(system.bus, promoCodes)
      const watch = async (): Promise<void> => {
        while (isRunning) {
          const { times_used } = await client.read({ params: { event_id: testEvent.id, id } })
          most = Math.max(most, times_used)
        }
      }
      const come = async (): Promise<void> => {
        for (let visit = 0; visit < rounds(4, 10); visit++) {
          const { status, body } = await register('busy')
          if (status === 201) await testEvent.remove(`guests/${body._id}.json`)
          else expect(body).toEqual(refusal('has been used up'))
        }
      }
      const watching = watch()
      await Promise.all(Array.from({ length: 30 }, come))
      isRunning = false
      await watching
      expect(most).toBeGreaterThan(1)
      expect(most).toBeLessThanOrEqual(10)
      expect(await timesUsed(id)).toBe(0)
      expect(await rush('busy', 30)).toHaveLength(10)
    })
  })
})

/** Makes every service forget the answers that it keeps for retries. */
async function forgetAnswers(system: System): Promise<void> {
  const mongo = await MongoClient.connect(inject('mongodbUrl'))
  try {
    await mongo.db(`${system.namespace}_guests`).collection('idempotency_keys').deleteMany({})
  } finally {
    await mongo.close()
  }
}
