import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { LEADS_PAGE } from '../licences/resource.ts'
import { apps } from '../resources.ts'

const system = await sharedSystem()

/** A request of an exhibitor's phone, which has its token in the header. */
const ask = (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  system.api(method, path, body, { token: '', headers: { authorization: `Bearer ${token}` } })

describe('the phones of a stand', () => {
  let testEvent: TestEvent
  let exhibitor: { _id: string; access_token: string }

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    const category = await testEvent.category()
    await testEvent.guest(category, 'ada', { first_name: 'Ada', last_name: 'Lovelace', phone_number: '1815' })
    await testEvent.guest(category, 'alan')
    exhibitor = await testEvent.make('exhibitors.json', { name: 'Acme' })
  })

  const newCode = async (of = exhibitor): Promise<Answer['body']> =>
    (await testEvent.api('POST', `exhibitors/${of._id}/codes.json`)).body
  const exchange = (code: string, key = crypto.randomUUID()): Promise<Answer> =>
    system.api('POST', 'exhibitor_codes/exchange.json', undefined, {
      token: '',
      headers: { authorization: `Bearer ${code}`, 'idempotency-key': key },
    })
  const newPhone = async (of = exhibitor): Promise<string> =>
    (await exchange((await newCode(of)).code)).body.access_token
  const submit = (token: string, ...uids: string[]) =>
    ask(
      token,
      'POST',
      'devices/connections/batch_create.json',
      uids.map((guest_uid) => ({ guest_uid, author: 'Ann' })),
    )
  const listed = async (token: string, query = ''): Promise<Answer['body']> =>
    (await ask(token, 'GET', `devices/connections.json${query}`)).body
  const change = (token: string, uid: string, body: object) =>
    ask(token, 'PUT', `devices/connections/${uid}.json`, body)

  test('a code is exchanged once for a token of its own, however it is typed; asked again under the same key it gives another', async () => {
    const { code, url, qr_code, code_expires_at } = await newCode()
    expect(url).toBe(`${system.url}/leads/#${code}`)
    expect(qr_code).toContain('<svg')
    expect(Date.parse(code_expires_at) - Date.now()).toBeGreaterThan(6 * 86_400_000)
    const key = crypto.randomUUID()
    const first = await exchange(code.toLowerCase().replaceAll('-', ''), key)
    expect([first.status, first.body]).toEqual([
      201,
      {
        _id: exhibitor._id,
        name: 'Acme',
        event_id: testEvent.id,
        access_token: expect.stringMatching(/^gh_exhibitor_/),
      },
    ])
    expect((await exchange(code)).status).toBe(401)
    expect((await exchange('CDFH-2345-CDFH')).status).toBe(401)
    expect((await listed(first.body.access_token)).length).toBeGreaterThanOrEqual(0)
  })

  test('neither codes nor tokens are in what the organizer reads', async () => {
    await newPhone()
    const { text } = await testEvent.api('GET', 'exhibitors.json')
    expect(text).not.toMatch(/phones|code|hash|token/)
  })

  test('another token of the exhibitor ends those of its phones, and codes that wait', async () => {
    const other = await testEvent.make('exhibitors.json', { name: 'Rolled' })
    const [phone, { code }] = [await newPhone(other), await newCode(other)]
    expect((await ask(phone, 'GET', 'devices/connections.json')).status).toBe(200)
    await testEvent.api('POST', `exhibitors/${other._id}/roll_token.json`)
    expect((await ask(phone, 'GET', 'devices/connections.json')).status).toBe(401)
    expect((await exchange(code)).status).toBe(401)
  })

  test('two phones and the exhibitor see the same leads, with what the event shows of the guests and nothing else', async () => {
    const [one, two] = [await newPhone(), await newPhone()]
    expect((await submit(one, 'ada', 'nobody')).status).toBe(422)
    await submit(two, 'ada')
    for (const token of [one, two, exhibitor.access_token])
      expect(await listed(token)).toMatchObject([
        {
          guest_uid: 'ada',
          author: 'Ann',
          note: null,
          rating: null,
          revision: 0,
          guest: { first_name: 'Ada', last_name: 'Lovelace', email: null, company_name: null, uid: 'ada' },
        },
      ])
    expect(JSON.stringify(await listed(one))).not.toContain('1815')
    const other = await testEvent.make('exhibitors.json', { name: 'Other' })
    expect(await listed(other.access_token)).toEqual([])
  })

  test('a list since a time has what was created or changed then or later', async () => {
    const phone = await newPhone()
    await submit(phone, 'ada', 'alan')
    const [{ updated_at }] = await listed(phone)
    const later = new Date(Date.parse(updated_at) + 1).toISOString()
    expect(await listed(phone, `?since=${later}`)).toEqual([])
    await change(phone, 'ada', { rating: 2 })
    expect((await listed(phone, `?since=${later}`)).map(({ guest_uid }: Answer['body']) => guest_uid)).toEqual(['ada'])
  })

  describe('changing note and rating', () => {
    let phone: string
    beforeAll(async () => {
      const own = await testEvent.make('exhibitors.json', { name: 'Notes' })
      phone = await newPhone(own)
      await submit(phone, 'ada', 'alan')
    })

    test('replaces what the phone knew, and answers with the lead and its next revision', async () => {
      const first = await change(phone, 'ada', { note: 'Call', rating: 4, revision: 0 })
      expect([first.status, first.body]).toEqual([
        200,
        expect.objectContaining({ note: 'Call', rating: 4, revision: 1, guest: expect.anything() }),
      ])
      const second = await change(phone, 'ada', { note: 'Call her', revision: 1 })
      expect(second.body).toMatchObject({ note: 'Call her', rating: 4, revision: 2 })
      // As a phone does whose answer was lost.
      const again = await change(phone, 'ada', { note: 'Call her', revision: 1 })
      expect(again.body).toMatchObject({ note: 'Call her', rating: 4, revision: 2 })
    })

    test('keeps what another phone has written meanwhile, however often it is sent', async () => {
      await change(phone, 'alan', { note: 'Tall', rating: 3, revision: 0 })
      for (let n = 0; n < 3; n++) {
        const { body } = await change(phone, 'alan', { note: 'Wants a demo', rating: null, revision: 0 })
        expect(body).toMatchObject({ note: 'Tall\nWants a demo', rating: 3, revision: 2 })
      }
    })

    test('of twenty phones at once loses none', async () => {
      const own = await testEvent.make('exhibitors.json', { name: 'Crowd' })
      const token = await newPhone(own)
      await submit(token, 'ada')
      const notes = Array.from({ length: 20 }, (_, n) => `note ${String.fromCharCode(97 + n)}`)
      await Promise.all(notes.map((note) => change(token, 'ada', { note, revision: 0 })))
      const [{ note }] = await listed(token)
      expect(note.split('\n').toSorted()).toEqual(notes)
    })

    test('of a guest who is no lead is 404, a rating beyond five 422', async () => {
      expect((await change(phone, 'nobody', { note: 'x' })).status).toBe(404)
      for (const rating of [0, 6, 'x']) {
        const { status, body } = await change(phone, 'ada', { rating })
        expect([status, Object.keys(body.errors)]).toEqual([422, ['rating']])
      }
    })

    test('is in the organizer’s list and CSV', async () => {
      const own = await testEvent.make('exhibitors.json', { name: 'Listed' })
      const token = await newPhone(own)
      await submit(token, 'ada')
      await change(token, 'ada', { note: 'Call, soon', rating: 5 })
      const path = `exhibitors/${own._id}/connections`
      expect(await testEvent.read(`${path}.json`)).toMatchObject([{ note: 'Call, soon', rating: 5 }])
      expect((await testEvent.api('GET', `${path}.csv`)).text).toMatch(/,"Call, soon",5\n$/)
    })
  })

  test('a ciphered code is read for the page once an app of its name is registered, and only then', async () => {
    const ciphered = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
    const { access_token } = await ciphered.make('exhibitors.json', { name: 'Acme' })
    const key = (await ciphered.api('GET', 'qr_code_key.json')).body
    expect(key).toEqual({ qr_code_ciphering_key: null, qr_code_ciphering_iv: null })
    const decipher = (content: string) =>
      ask(access_token, 'GET', `devices/deciphered_qr_code.json?content=${encodeURIComponent(content)}`)
    expect((await decipher('ada')).body).toEqual({ content: 'ada' })
    expect((await decipher('E:AAAAAAAAAAAAAAAAAAAAAA==')).status).toBe(403)
    const client = clientOf(system.bus, apps)
    const { _id } = await client.register({ body: { name: LEADS_PAGE } })
    expect((await decipher('E:AAAAAAAAAAAAAAAAAAAAAA==')).status).toBe(422)
    await client.revoke({ body: { app_id: _id } })
    expect((await decipher('E:AAAAAAAAAAAAAAAAAAAAAA==')).status).toBe(403)
  })
})
