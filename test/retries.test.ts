import { type Binary, BSON, MongoClient } from 'mongodb'
import { afterAll, describe, expect, inject, test } from 'vitest'
import type { Answer } from './harness/system.ts'
import { byCost, sampled } from './rounds.ts'
import { all, named, useWorld, world } from './tables/table.ts'
import type { ActionRow, Request } from './tables/world.ts'

// Runs over every POST that is answered with 201, except those of check-ins and leads: these find repeated requests by themselves, and have
// tests of their own.

const every = named(({ method, action }) => method === 'POST' && action.status === 201 && !action.ownRetries, all)
// A key belongs to the token, or to the secret in its place.
const byToken = every.filter(([, { action }]) => !action.secret)
const withBody = every.filter(([, { action }]) => action.body !== undefined)
/** Whether the action adds an object to the list of the resource. */
const isCreation = ({ resource, name }: ActionRow): boolean =>
  name.endsWith('create') && resource.actions.list !== undefined && resource.many !== 'invitations'
const creations = byCost(
  every.filter(([, row]) => isCreation(row)),
  4,
)

useWorld()
const mongo = await MongoClient.connect(inject('mongodbUrl'))
afterAll(() => mongo.close())

/** A request of an action that can be repeated, with a new `Idempotency-Key`. */
async function requestOf(row: ActionRow): Promise<Request & { headers: Record<string, string> }> {
  const [params, body] = [await world.paramsOf(row), await world.bodyOf(row)]
  return { params, body, headers: { 'idempotency-key': crypto.randomUUID() } }
}

const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true'

/** The number of objects of a resource; always 0 if the action adds none. */
async function count(row: ActionRow): Promise<number> {
  return isCreation(row) ? JSON.parse(await world.snapshot(row.resource)).length : 0
}

const answersOf = ({ resource }: ActionRow) =>
  mongo
    .db(`${world.system.namespace}_${resource.service}`)
    .collection<{ _id: string; created_at: Date; reply?: Binary }>('idempotency_keys')

describe('an Idempotency-Key', () => {
  test.each(sampled(every, 16))(
    '%s: a repeated request gets the first answer, marked as replayed',
    async (_label, row) => {
      const request = await requestOf(row)
      const before = await count(row)
      const first = await world.send(row, request)
      expect(first.status, first.text).toBe(201)
      expect(isReplay(first)).toBe(false)
      const made = await count(row)
      if (isCreation(row)) expect(made).toBeGreaterThan(before)
      for (let n = 0; n < 2; n++) {
        const again = await world.send(row, request)
        expect([again.status, isReplay(again), again.text]).toEqual([201, true, first.text])
      }
      const asXml = await world.send(row, { ...request, suffix: '.xml' })
      expect([asXml.status, isReplay(asXml)]).toEqual([201, true])
      expect(asXml.headers.get('content-type')).toBe('application/xml; charset=utf-8')
      expect(await count(row)).toBe(made)
    },
  )

  for (const [[label, row], options] of creations) {
    test(`${label}: another body gets 422 and creates nothing`, options, async () => {
      const request = await requestOf(row)
      expect((await world.send(row, request)).status).toBe(201)
      const before = await world.snapshot(row.resource)
      const other = await world.send(row, { ...request, body: await world.bodyOf(row) })
      expect([other.status, other.body]).toEqual([
        422,
        { errors: { idempotency_key: ['was already used for another request'] } },
      ])
      expect(await world.snapshot(row.resource)).toBe(before)
    })
  }

  test.each(sampled(every, 16))(
    '%s: one of many simultaneous requests is done; the others get its answer or 409',
    async (_label, row) => {
      const request = await requestOf(row)
      const before = await count(row)
      const answers = await Promise.all(Array.from({ length: 12 }, () => world.send(row, request)))
      const [made, ...more] = answers.filter((answer) => answer.status === 201 && !isReplay(answer))
      expect(more).toEqual([])
      for (const answer of answers) {
        if (answer.status === 409)
          expect([answer.headers.get('retry-after'), answer.body.error]).toEqual([
            '1',
            'A request with this Idempotency-Key is still running',
          ])
        else expect([answer.status, answer.text]).toEqual([201, made?.text])
      }
      const items = row.action.batch ? made?.body.length : 1
      expect(await count(row)).toBe(isCreation(row) ? before + items : 0)
    },
  )

  test.each(sampled(byToken, 32))('%s: the same key of another token is another key', async (_label, row) => {
    const request = await requestOf(row)
    expect((await world.send(row, request)).status).toBe(201)
    const answer = await world.send(row, {
      ...request,
      body: await world.bodyOf(row),
      token: await world.token('admin'),
    })
    expect([answer.status, isReplay(answer)], answer.text).toEqual([201, false])
  })

  test.each(sampled(withBody, 32))('%s: a refused request does not use up the key', async (_label, row) => {
    const request = await requestOf(row)
    expect((await world.send(row, { ...request, body: '{' })).status).toBe(400)
    const refused = await world.send(row, { ...request, body: row.action.batch ? { no: 'list' } : [] })
    expect(refused.status).toBe(422)
    const answer = await world.send(row, request)
    expect([answer.status, isReplay(answer)], answer.text).toEqual([201, false])
  })

  for (const [[label, row], options] of creations) {
    test(
      `${label}: after a crash before the answer was stored, a retry finds the created object`,
      options,
      async () => {
        const request = await requestOf(row)
        const before = await count(row)
        const first = await world.send(row, request)
        expect(first.status, first.text).toBe(201)
        const items = (await count(row)) - before
        // The state that a process leaves if it dies between storing the object and the answer.
        const answers = answersOf(row)
        const { _id = '' } = (await answers.findOne({}, { sort: { created_at: -1 } })) ?? {}
        const left = await answers.updateOne({ _id }, { $unset: { reply: 1, status: 1 } })
        expect(left.modifiedCount).toBe(1)
        // The first request counts as running until its deadline has passed.
        expect((await world.send(row, request)).status).toBe(409)
        await answers.updateOne({ _id }, { $set: { running_until: new Date(Date.now() - 1) } })

        const again = await world.send(row, request)
        expect([again.status, isReplay(again)], again.text).toEqual([201, false])
        expect(await count(row)).toBe(before + items)
        const ids = ({ body }: Answer): unknown => [body].flat().map(({ _id }) => _id)
        expect(ids(again)).toEqual(ids(first))
        expect(isReplay(await world.send(row, request))).toBe(true)
      },
    )
  }

  test.each(sampled(every, 32))('%s: the stored answer cannot be read without the key', async (_label, row) => {
    const request = await requestOf(row)
    const { status, text } = await world.send(row, request)
    expect(status, text).toBe(201)
    const stored = await answersOf(row).find().toArray()
    const bytes = stored.map((answer) => Buffer.from(BSON.serialize(answer)).toString('latin1')).join()
    expect(stored.some(({ reply }) => reply)).toBe(true)
    expect(bytes).not.toContain(request.headers['idempotency-key'])
    // All longer texts, which include names and tokens.
    for (const [, held = ''] of text.matchAll(/":"([^"]{8,})"/g)) expect(bytes).not.toContain(held)
  })

  test.each(sampled(every, 32))('%s: an empty key or one of more than 255 characters is 422', async (_label, row) => {
    const request = await requestOf(row)
    const before = await world.snapshot(row.resource)
    for (const key of ['', 'k'.repeat(256)]) {
      const answer = await world.send(row, { ...request, headers: { 'idempotency-key': key } })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['idempotency_key']])
    }
    expect(await world.snapshot(row.resource)).toBe(before)
    const longest = await world.send(row, {
      ...request,
      headers: { 'idempotency-key': crypto.randomUUID().padEnd(255, 'k') },
    })
    expect(longest.status, longest.text).toBe(201)
  })

  test('has no effect on other methods than POST', async () => {
    const headers = { 'idempotency-key': 'no-post' }
    const { api, account_id } = world.system
    const { body } = await api('POST', 'events.json', { title: 'One', account_id })
    for (const title of ['Two', 'Three']) {
      expect((await api('PUT', `events/${body._id}.json`, { title }, { headers })).status).toBe(204)
      const read = await api('GET', `events/${body._id}.json`, undefined, { headers })
      expect([read.body.title, isReplay(read)]).toEqual([title, false])
    }
  })
})
