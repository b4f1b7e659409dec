import { createHash } from 'node:crypto'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import type { Answer, TestAccount } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { ApiTokenStore } from './store.ts'

const system = await sharedSystem()

const XML = { 'content-type': 'application/xml; charset=utf-8' }

describe('API tokens', () => {
  let other: TestAccount
  let testEvent: TestEvent

  beforeAll(async () => {
    other = await system.account('other')
    testEvent = await TestEvent.open(system)
  })

  async function issue(fields: object, token = system.auth_token): Promise<Answer['body']> {
    const answer = await system.api('POST', 'tokens.json', { name: 'device', scope: 'door', ...fields }, { token })
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }

  const statusOf = async (token: string, path = 'me.json', base?: string): Promise<number> =>
    (await system.api('GET', path, undefined, { token, ...(base && { base }) })).status

  describe('issuing', () => {
    test('answers 201 with the token, which is shown once', async () => {
      const issued = await issue({ name: 'North door', scope: 'door', event_id: testEvent.id })
      expect(issued).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'North door',
        scope: 'door',
        event_id: testEvent.id,
        account_id: system.account_id,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        token: expect.stringMatching(/^gh_[\w-]{43}$/),
      })
      expect(await statusOf(issued.token)).toBe(200)
      const list = await system.api('GET', 'tokens.json')
      expect(list.text).toContain(issued._id)
      expect(list.text).not.toContain(issued.token)
      expect(list.text).not.toMatch(/"(token|hash)"/)
    })

    test('accepts and answers XML', async () => {
      const document = '<token><name>XML door</name><scope>door</scope><event-id nil="true"/></token>'
      const answer = await system.api('POST', 'tokens.xml', document, { headers: XML })
      expect(answer.status, answer.text).toBe(201)
      expect(answer.text).toContain('<event-id nil="true"/>')
      const token = /<token>(gh_[\w-]{43})<\/token>/.exec(answer.text)?.[1] ?? ''
      expect(await statusOf(token, 'me.xml')).toBe(200)
      const list = await system.api('GET', 'tokens.xml')
      expect(list.text).toMatch(/<tokens type="array"><token><_id>/)
      expect(list.text).not.toContain(token)
    })

    test('accepts a body wrapped in token, and a form', async () => {
      expect((await system.api('POST', 'tokens.json', { token: { name: 'a', scope: 'read' } })).status).toBe(201)
      const form = await system.api('POST', 'tokens.json', 'token[name]=a&token[scope]=read', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(form.status, form.text).toBe(201)
      expect(form.body.scope).toBe('read')
    })

    test('needs a name and one of the three scopes: 422 with each field', async () => {
      for (const scope of ['admin', 'read', 'door']) expect((await issue({ scope })).scope).toBe(scope)
      const empty = await system.api('POST', 'tokens.json', {})
      expect(empty.status).toBe(422)
      expect(empty.body).toEqual({ errors: { name: ["can't be blank"], scope: ["can't be blank"] } })
      for (const scope of ['root', 'Admin', '', null, ['admin'], 1]) {
        const answer = await system.api('POST', 'tokens.json', { name: 'a', scope })
        expect(answer.status, String(scope)).toBe(422)
        expect(answer.body.errors.scope).toBeDefined()
      }
    })

    test('binds only to an event of the account, and not to an empty id: 422 on event_id', async () => {
      const theirs = await system.api(
        'POST',
        'events.json',
        { title: 'Theirs', account_id: other.account_id },
        { token: other.auth_token },
      )
      const before = (await system.api('GET', 'tokens.json')).body.length
      for (const event_id of [theirs.body._id, 'f'.repeat(24), 'x', '']) {
        const answer = await system.api('POST', 'tokens.json', { name: 'a', scope: 'door', event_id })
        expect(answer.status, event_id).toBe(422)
        expect(Object.keys(answer.body.errors)).toEqual(['event_id'])
      }
      expect((await system.api('GET', 'tokens.json')).body.length).toBe(before)
    })

    test('ignores fields that only the service sets', async () => {
      const token = `gh_${'x'.repeat(43)}`
      const hash = createHash('sha256').update(token).digest('hex')
      const issued = await issue({ token, hash, account_id: other.account_id, created_at: '2001-01-01' })
      expect(issued.token).not.toBe(token)
      expect(issued.account_id).toBe(system.account_id)
      expect(await statusOf(token)).toBe(403)
    })

    test('all tokens are different', async () => {
      const tokens = await Promise.all(Array.from({ length: 20 }, () => issue({})))
      expect(new Set(tokens.map(({ token }) => token)).size).toBe(20)
    })

    test(
      'a retry with the same Idempotency-Key shows the same token, although the store does not have it',
      slow,
      async () => {
        const headers = { 'idempotency-key': `issue-${crypto.randomUUID()}` }
        const body = { name: 'once', scope: 'door' }
        const before = (await system.api('GET', 'tokens.json')).body.length
        const first = await system.api('POST', 'tokens.json', body, { headers })
        const again = await system.api('POST', 'tokens.json', body, { headers, base: system.urls[1] as string })
        expect(first.headers.get('idempotent-replayed')).toBeNull()
        expect(again.headers.get('idempotent-replayed')).toBe('true')
        expect(again.body).toEqual(first.body)
        expect((await system.api('GET', 'tokens.json')).body.length).toBe(before + 1)
        const stored = await storedText(inject('mongodbUrl'), system.namespace)
        expect(stored).toContain(first.body._id)
        expect(stored).not.toContain(first.body.token)
      },
    )
  })

  test('only the SHA-256 of a token is stored', slow, async () => {
    const { token } = await issue({})
    const stored = await storedText(inject('mongodbUrl'), system.namespace)
    expect(stored).toContain(createHash('sha256').update(token).digest('hex'))
    for (const secret of [token, token.slice(3), system.auth_token]) expect(stored).not.toContain(secret)
  })

  describe('the list', () => {
    test('has only the tokens of the account, newest first', async () => {
      const mine = await issue({ name: 'mine' })
      const theirs = await issue({ name: 'theirs' }, other.auth_token)
      const list = (await system.api('GET', 'tokens.json')).body as { _id: string; created_at: string }[]
      expect(list[0]?._id).toBe(mine._id)
      expect(list.map(({ _id }) => _id)).not.toContain(theirs._id)
      const stamps = list.map(({ created_at }) => created_at)
      expect(stamps).toEqual(stamps.toSorted().reverse())
    })
  })

  describe('revoking', () => {
    test('answers 204 without a body, once; an unknown id and one of another account are 404', async () => {
      const mine = await issue({})
      const theirs = await issue({}, other.auth_token)
      const answer = await system.api('DELETE', `tokens/${mine._id}.json`)
      expect([answer.status, answer.text]).toEqual([204, ''])
      for (const id of [mine._id, theirs._id, 'f'.repeat(24)]) {
        expect((await system.api('DELETE', `tokens/${id}.json`)).status).toBe(404)
        expect((await system.api('DELETE', `tokens/${id}.xml`)).status).toBe(404)
      }
      expect(await statusOf(theirs.token)).toBe(200)
    })

    test('is effective at each gateway, also while the token is in use, and for good', slow, async () => {
      const { _id, token } = await issue({ scope: 'read' })
      for (const base of system.urls) expect(await statusOf(token, 'events.json', base)).toBe(200)
      const seen = system.urls.map((): number[] => [])
      let stop = false
      const users = system.urls.map(async (base, index) => {
        while (!stop) seen[index]?.push(await statusOf(token, 'events.json', base))
      })
      const fewest = (status: number) => Math.min(...seen.map((each) => each.filter((one) => one === status).length))
      await expect.poll(() => fewest(200)).toBeGreaterThan(5)
      expect((await system.api('DELETE', `tokens/${_id}.json`)).status).toBe(204)
      await expect.poll(() => fewest(403)).toBeGreaterThan(5)
      stop = true
      await Promise.all(users)
      for (const each of seen) expect(new Set(each.slice(each.indexOf(403)))).toEqual(new Set([403]))
    })

    test('is effective at each gateway also if the first try died before its announcement and the second is 404', async () => {
      const { _id, token } = await issue({ scope: 'read' })
      for (const base of system.urls) expect(await statusOf(token, 'events.json', base)).toBe(200)
      const store = await openStore(inject('mongodbUrl'), system.namespace, 'sso')
      expect(await new ApiTokenStore(store.db, 1_000).delete(system.account_id, _id)).not.toBeNull()
      await store.close()
      for (const base of system.urls) expect(await statusOf(token, 'events.json', base)).toBe(200)
      expect((await system.api('DELETE', `tokens/${_id}.json`)).status).toBe(404)
      for (const base of system.urls) expect(await statusOf(token, 'events.json', base)).toBe(403)
    })

    test('a token can revoke itself', async () => {
      const { _id, token } = await issue({ scope: 'admin' })
      expect((await system.api('DELETE', `tokens/${_id}.json`, undefined, { token })).status).toBe(204)
      await expect.poll(() => statusOf(token)).toBe(403)
    })

    test('with Prefer: return=representation answers 200 with the token, without its secret', async () => {
      const { token, ...shown } = await issue({})
      const headers = { prefer: 'return=representation' }
      const answer = await system.api('DELETE', `tokens/${shown._id}.json`, undefined, { headers })
      expect([answer.status, answer.body]).toEqual([200, shown])
    })
  })

  describe('me', () => {
    test('identifies the token, in JSON and XML, by query and by header', async () => {
      const { _id, token, created_at } = await issue({ name: 'South', scope: 'read' })
      const me = await system.api('GET', 'me.json', undefined, { token })
      expect([me.status, me.body]).toEqual([
        200,
        {
          ...{ id: _id, email: null, first_name: 'South', last_name: null },
          account_id: system.account_id,
          account: system.slug,
          token_id: _id,
          name: 'South',
          scope: 'read',
          event_id: null,
          created_at,
        },
      ])
      const headers = { authorization: `Bearer ${token}` }
      expect((await system.api('GET', 'me.json', undefined, { token: '', headers })).body).toEqual(me.body)
      const xml = await system.api('GET', 'me.xml', undefined, { token })
      expect(xml.text).toContain(
        `<id>${_id}</id><email nil="true"/><first-name>South</first-name><last-name nil="true"/>`,
      )
      expect(xml.text).toContain(`<token-id>${_id}</token-id>`)
      expect(xml.text).toContain(`<account>${system.slug}</account>`)
      expect(xml.text).not.toContain(token)
    })

    test('the scheme is Bearer in any case; another scheme, or none, is 403', async () => {
      const { token } = await issue({})
      for (const [authorization, status] of [
        [`bearer ${token}`, 200],
        [`BEARER  ${token}`, 200],
        [`Basic ${token}`, 403],
        [token, 403],
        ['Bearer', 403],
        [`Bearer ${token} x`, 403],
      ] as const) {
        const answer = await system.api('GET', 'me.json', undefined, { token: '', headers: { authorization } })
        expect(answer.status, authorization.replace(token, 'T')).toBe(status)
      }
    })

    test('the query has precedence over the header', async () => {
      const { token } = await issue({})
      const headers = { authorization: `Bearer ${token}` }
      expect((await system.api('GET', 'me.json', undefined, { token: 'gh_wrong', headers })).status).toBe(403)
    })
  })

  describe('a token bound to an event', () => {
    test.for(['admin', 'read', 'door'])('with the scope %s reaches only that event', async (scope) => {
      const elsewhere = await TestEvent.open(system)
      const { token } = await issue({ scope, event_id: testEvent.id })
      expect(await statusOf(token, `events/${testEvent.id}.json`)).toBe(200)
      expect(await statusOf(token, `${testEvent.id}/accesspoints.xml`)).toBe(200)
      for (const path of [
        `events/${elsewhere.id}.json`,
        `events/${elsewhere.id}/guests.json`,
        `${elsewhere.id}/guests.xml`,
      ]) {
        expect(await statusOf(token, path), path).toBe(403)
      }
      const events = await system.api('GET', 'events.json', undefined, { token })
      expect(events.body.map(({ _id }: { _id: string }) => _id)).toEqual([testEvent.id])
      const me = await system.api('GET', 'me.json', undefined, { token })
      expect(me.body.event_id).toBe(testEvent.id)
    })

    test('administers its event, but no tokens and events of the account', async () => {
      const { token, _id } = await issue({ scope: 'admin', event_id: testEvent.id })
      const made = await system.api('POST', `events/${testEvent.id}/guest_categories.json`, { name: 'Crew' }, { token })
      expect(made.status).toBe(201)
      const before = (await system.api('GET', 'tokens.json')).text
      const event = { title: 'Another', account_id: system.account_id }
      expect((await system.api('POST', 'events.json', event, { token })).status).toBe(403)
      expect((await system.api('POST', 'tokens.json', { name: 'up', scope: 'admin' }, { token })).status).toBe(403)
      expect(await statusOf(token, 'tokens.json')).toBe(403)
      expect((await system.api('DELETE', `tokens/${_id}.xml`, undefined, { token })).status).toBe(403)
      expect((await system.api('GET', 'tokens.json')).text).toBe(before)
    })
  })

  test.for(['read', 'door'])('a %s token cannot list or issue tokens', async (scope) => {
    const { token, _id } = await issue({ scope })
    expect(await statusOf(token, 'tokens.json')).toBe(403)
    expect((await system.api('POST', 'tokens.xml', { name: 'a', scope: 'door' }, { token })).status).toBe(403)
    expect((await system.api('DELETE', `tokens/${_id}.json`, undefined, { token })).status).toBe(403)
  })
})
