import { createHash } from 'node:crypto'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { type Collection, MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { partnerAccessTokens } from './resource.ts'
import type { StoredToken } from './store.ts'

const system = await sharedSystem()

const XML = { 'content-type': 'application/xml; charset=utf-8' }
const DAY_MS = 86_400_000

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

describe('partner access tokens', () => {
  const mongo = new MongoClient(inject('mongodbUrl'))
  let stored: Collection<StoredToken>
  let event: string
  let type: string
  let partner: Answer['body']
  let campaign: string

  beforeAll(async () => {
    stored = mongo.db(`${system.namespace}_partners`).collection('partner_access_tokens')
  })
  afterAll(async () => {
    await mongo.close()
  })
  beforeEach(async () => {
    event = (await made('events.json', { title: 'Fair', account_id: system.account_id }))._id
    type = (await made(`events/${event}/invitation_types.json`, { name: 'Evening' }))._id
    partner = await made(`events/${event}/partners.json`, { name: 'Acme', uid: 'acme' })
    campaign = (await made(campaigns(), { partner_id: partner._id, quota: 5 }))._id
  })

  const made = async (to: string, fields: object): Promise<Answer['body']> => {
    const answer = await system.api('POST', to, fields)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const campaigns = (): string => `events/${event}/invitation_types/${type}/partner_campaigns.json`
  const path = (rest = '.json', of = partner._id): string =>
    `events/${event}/partners/${of}/partner_campaigns/${campaign}/partner_access_tokens${rest}`
  const resolved = async (token: string): Promise<unknown> =>
    (await clientOf(system.bus, partnerAccessTokens).resolve({ body: { hash: hashOf(token) } })).token

  test('creation answers 201 with the token, shown this once; it is valid for 90 days', async () => {
    const answer = await system.api('POST', path(), {})
    expect(answer.status).toBe(201)
    const { token, page_url, ...shown } = answer.body
    expect(page_url).toBe(`${system.url}/partner/${token}`)
    expect(shown).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      partner_id: partner._id,
      partner_campaign_id: campaign,
      expires_at: expect.stringMatching(/Z$/),
      created_at: expect.stringMatching(/Z$/),
    })
    expect(token).toMatch(/^gh_partner_[\w-]{43}$/)
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(90 * DAY_MS)
    expect((await system.api('GET', path())).body).toEqual([shown])
  })

  test('creation needs no body, and takes and answers XML; the partner may be called by its uid', async () => {
    const bare = await system.api('POST', path('.xml', 'acme'))
    expect(bare.status, bare.text).toBe(201)
    expect(bare.text).toContain('<partner-access-token><_id>')
    const document =
      '<partner-access-token><expires-at type="datetime">2099-01-02T03:04:05Z</expires-at></partner-access-token>'
    const answer = await system.api('POST', path('.xml'), document, { headers: XML })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.text).toContain('<expires-at type="datetime">2099-01-02T03:04:05.000Z</expires-at>')
    const token = /<token>(gh_partner_[\w-]{43})<\/token>/.exec(answer.text)?.[1] ?? ''
    expect(await resolved(token)).toMatchObject({ partner_campaign_id: campaign })
    const list = await system.api('GET', path('.xml'))
    expect(list.text).toMatch(/<partner-access-tokens type="array"><partner-access-token><_id>/)
    expect(list.text).not.toContain(token)
  })

  test('expires_at must be in the future: 422', async () => {
    for (const expires_at of ['2020-01-01', new Date(Date.now() - 1_000).toISOString()]) {
      const { status, body } = await system.api('POST', path(), { expires_at })
      expect([status, body]).toEqual([422, { errors: { expires_at: ['must be in the future'] } }])
    }
    const unreadable = await system.api('POST', path(), { expires_at: 'soon' })
    expect([unreadable.status, Object.keys(unreadable.body.errors)]).toEqual([422, ['expires_at']])
    expect((await system.api('GET', path())).body).toEqual([])
  })

  test('only the SHA-256 is stored, and a retry with the same Idempotency-Key shows the same token', slow, async () => {
    const headers = { 'idempotency-key': `token-${event}` }
    const first = await system.api('POST', path(), {}, { headers })
    const again = await system.api('POST', path(), {}, { headers })
    expect(again.body).toEqual(first.body)
    expect((await system.api('GET', path())).body).toHaveLength(1)
    const all = await storedText(inject('mongodbUrl'), system.namespace)
    expect(all).toContain(hashOf(first.body.token))
    expect(all).not.toContain(first.body.token)
  })

  test(
    'other services learn by its hash which campaign a token is for; nothing for an unknown hash',
    slow,
    async () => {
      const { token, page_url: _, ...shown } = await made(path(), {})
      const told = (await resolved(token)) as { expires_at: Date; created_at: Date }
      expect(JSON.parse(JSON.stringify(told))).toEqual({ ...shown, event_id: event })
      expect(await resolved('gh_partner_unknown')).toBeUndefined()
    },
  )

  test('an expired one is refused while it is still stored, and the store forgets it a week later', async () => {
    const { _id, token } = await made(path(), {})
    await stored.updateOne({ _id }, { $set: { expires_at: new Date(Date.now() - 1_000) } })
    expect(await resolved(token)).toBeUndefined()
    expect((await system.api('GET', path())).body).toHaveLength(1)
    const indexes = await stored.indexes()
    expect(indexes.find(({ key }) => key.expires_at === 1)?.expireAfterSeconds).toBe(7 * 86_400)
  })

  test('revoking answers 204 with nothing, once, and is effective at once', async () => {
    const { _id, token } = await made(path(), {})
    const other = await made(path(), {})
    const answer = await system.api('DELETE', path(`/${_id}.json`))
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await resolved(token)).toBeUndefined()
    for (const suffix of ['.json', '.xml'])
      expect((await system.api('DELETE', path(`/${_id}${suffix}`))).status).toBe(404)
    expect(await resolved(other.token)).toBeDefined()
    const headers = { prefer: 'return=representation' }
    const shown = await system.api('DELETE', path(`/${other._id}.json`), undefined, { headers })
    expect([shown.status, shown.body._id]).toEqual([200, other._id])
    expect(shown.text).not.toContain(other.token)
  })

  test('are deleted with their campaign and with their partner', async () => {
    const [one, two] = [await made(path(), {}), await made(path(), {})]
    await system.api('DELETE', campaigns().replace('.json', `/${campaign}.json`))
    for (const { token } of [one, two]) expect(await resolved(token)).toBeUndefined()
    expect((await system.api('GET', path())).status).toBe(404)
    campaign = (await made(campaigns(), { partner_id: partner._id, quota: 5 }))._id
    const three = await made(path(), {})
    await system.api('DELETE', `events/${event}/partners/acme.json`)
    expect(await resolved(three.token)).toBeUndefined()
    expect(await stored.countDocuments({ event_id: event })).toBe(0)
  })

  test('creations during the deletion of their campaign leave no token, in 20 rounds', slow, async () => {
    for (let round = 0; round < 20; round++) {
      const [deletion, ...creations] = await Promise.all([
        system.api('DELETE', campaigns().replace('.json', `/${campaign}.json`)),
        ...[1, 2, 3].map(() => system.api('POST', path(), {})),
      ])
      expect(deletion.status).toBe(200)
      for (const { status, body } of creations) {
        expect([201, 404]).toContain(status)
        if (status === 201) expect(await resolved(body.token)).toBeUndefined()
      }
      expect(await stored.countDocuments({ partner_campaign_id: campaign })).toBe(0)
      campaign = (await made(campaigns(), { partner_id: partner._id, quota: 5 }))._id
    }
  })

  test('a campaign of another partner, of another event and an unknown one are 404', async () => {
    const other = await made(`events/${event}/partners.json`, { name: 'Other' })
    const { _id } = await made(path(), {})
    const elsewhere = await made('events.json', { title: 'Other', account_id: system.account_id })
    const paths = [
      path('.json', other._id),
      path('.json', 'unknown'),
      path().replace(event, elsewhere._id),
      path().replace(campaign, 'unknown'),
    ]
    for (const to of paths) {
      expect((await system.api('GET', to)).status).toBe(404)
      expect((await system.api('POST', to, {})).status).toBe(404)
      expect((await system.api('DELETE', to.replace('.json', `/${_id}.json`))).status).toBe(404)
    }
    expect((await system.api('GET', path())).body).toHaveLength(1)
  })

  test('read and door tokens can neither list nor issue them', async () => {
    for (const scope of ['read', 'door']) {
      const { token } = await made('tokens.json', { name: scope, scope })
      expect((await system.api('GET', path(), undefined, { token })).status).toBe(403)
      expect((await system.api('POST', path(), {}, { token })).status).toBe(403)
    }
  })
})
