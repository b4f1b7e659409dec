import { isEventScoped } from '@gatehouse/proto/declaring/resource.ts'
import { describe, expect, test } from 'vitest'
import { sampled } from '../rounds.ts'
import {
  aboutOne,
  asked,
  expectRefused,
  inEvents,
  named,
  other,
  rows,
  shownStatus,
  testMost,
  UNKNOWN,
  useWorld,
  withToken,
  world,
} from './table.ts'
import { type ActionRow, type Request, suffixesOf } from './world.ts'

// Runs over every action that has a route, so that a new action is tested as soon as it is declared.

/** Requests without a valid token. */
const WRONG_TOKENS: Request[] = [
  { token: '', query: 'auth_token=' },
  { token: '', query: 'auth_token[$ne]=x' },
  { token: 'gh_wrong' },
  { token: '', headers: { authorization: 'Bearer gh_wrong' } },
]

const SCOPES = ['read', 'door'] as const

const ODD_IDS = ['x', '0', 'null', '__proto__', '$where', '🎟', 'a b', '%00', '\u0000', 'x'.repeat(300)]

useWorld()

/** The parameters and the body of a valid request of an action, the same in all tests: a refused request changes nothing and uses up nothing. */
function sparedBy(row: ActionRow): Promise<Required<Pick<Request, 'params' | 'body'>>> {
  const made = spared.get(row) ?? Promise.all([world.paramsOf(row), world.bodyOf(row)])
  spared.set(row, made)
  return made.then(([params, body]) => ({ params, body }))
}
const spared = new Map<ActionRow, Promise<[Record<string, string>, unknown]>>()

describe('access', () => {
  testMost(withToken, 'no token, an empty one, a wrong one: 403', async (row) => {
    const valid = await sparedBy(row)
    const before = await world.snapshot(row.resource)
    for (const suffix of suffixesOf(row).slice(0, 2)) {
      await expectRefused(row, 403, { ...valid, suffix, token: '' })
      for (const request of sampled(WRONG_TOKENS, 8)) await expectRefused(row, 403, { ...valid, suffix, ...request })
    }
    expect(await world.snapshot(row.resource)).toBe(before)
  })

  test.each(sampled(withToken, 32))('%s: a token in a Bearer header is accepted', async (_label, row) => {
    const authorization = `Bearer ${world.system.auth_token}`
    expect((await world.send(row, { token: '', headers: { authorization } })).status).toBe(shownStatus(row))
  })

  testMost(withToken, 'the scopes read and door may do what the action declares', async (row) => {
    const allowed = { read: row.action.scope !== undefined && row.method === 'GET', door: row.action.scope === 'door' }
    const [may, mayNot] = [SCOPES.filter((scope) => allowed[scope]), SCOPES.filter((scope) => !allowed[scope])]
    for (const scope of may) {
      const token = await world.token(scope)
      const params = await world.paramsOf(row)
      // What a door token may delete it has made itself.
      if (row.method === 'DELETE') params.id = (await world.send(creationOf(row), { token })).body._id
      const answer = await world.send(row, { token, params })
      expect(answer.status, `${scope}: ${answer.text.slice(0, 300)}`).toBe(shownStatus(row))
    }
    if (mayNot.length === 0) return
    const valid = await sparedBy(row)
    const before = await world.snapshot(row.resource)
    for (const scope of mayNot) await expectRefused(row, 403, { ...valid, token: await world.token(scope) })
    expect(await world.snapshot(row.resource)).toBe(before)
  })

  const creationOf = ({ resource: { many } }: ActionRow): ActionRow =>
    rows.find(({ resource, name }) => resource.many === many && name === 'create') as ActionRow

  let second: string | undefined

  testMost(inEvents, 'a token bound to another event: 403', async (row) => {
    const events = rows.find(({ resource, name }) => resource.many === 'events' && name === 'create') as ActionRow
    second ??= (await world.create(events)).body._id as string
    const valid = await sparedBy(row)
    await expectRefused(row, 403, { ...valid, token: await world.token('door', second) })
    await expectRefused(row, 403, { ...valid, token: await world.token('admin', second) })
  })

  testMost(inEvents, "another account's event: 404, and nothing changes", async (row) => {
    const valid = await sparedBy(row)
    const before = await world.snapshot(row.resource)
    for (const suffix of suffixesOf(row).slice(0, 2))
      await expectRefused(row, 404, { ...valid, suffix, token: other.auth_token })
    expect(await world.snapshot(row.resource)).toBe(before)
  })

  testMost(aboutOne, "another account's object: 404, and nothing changes", async (row) => {
    const theirs = await world.paramsOf(row, other)
    const ours = isEventScoped(row.action) ? { event_id: world.eventOf() } : {}
    const { body } = await sparedBy(row)
    const before = await world.snapshot(row.resource, other)
    await expectRefused(row, 404, { params: { ...theirs, ...ours }, body })
    await expectRefused(row, 404, { params: { ...theirs, ...ours }, body, suffix: '.xml' })
    expect(await world.snapshot(row.resource, other)).toBe(before)
  })

  const withIds = named(({ action }) => action.route?.includes(':') ?? false, asked)

  testMost(withIds, 'unknown ids: 404', async (row) => {
    const { params, body } = await sparedBy(row)
    for (const name of Object.keys(params)) {
      for (const id of [UNKNOWN, ...sampled(ODD_IDS)]) {
        // Which status a wrong secret gets is tested with its resource.
        const status = row.action.secret ? '(401|404)' : '404'
        await expectRefused(row, status, { params: { ...params, [name]: id }, body })
      }
    }
  })

  test('an archived event is read-only: 409 for each change, except those that say they are taken', async () => {
    const { api, account_id } = world.system
    const event_id = (await api('POST', 'events.json', { title: 'Over', account_id })).body._id
    expect((await api('PUT', `events/${event_id}.json`, { archived: true })).status).toBe(204)
    const wrong: string[] = []
    for (const [label, row] of inEvents) {
      const { params } = await sparedBy(row)
      const { status } = await world.send(row, {
        params: { ...params, event_id },
        ...(row.method !== 'GET' && { body: '{' }),
      })
      const isRefused = row.method !== 'GET' && !row.action.whileArchived
      if ((status === 409) !== isRefused) wrong.push(`${label}: ${status}`)
    }
    expect(wrong).toEqual([])
  })
})
