// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiOf } from '../harness/api.ts'
import { TestEvent } from '../harness/test-event.ts'
import { startTwoCells, type TwoCells } from './two-cells.ts'

describe('any gateway answers for the accounts of all cells (docs/adr/0022)', () => {
  let cells: TwoCells
  let event: TestEvent
  /** The account of the west, at the gateway of the east. */
  let abroad: Api
  beforeAll(async () => {
    cells = await startTwoCells()
    const { east, west } = cells
    abroad = apiOf(east.url, west.auth_token)
    event = await TestEvent.open({ ...west, api: abroad })
  })
  afterAll(() => cells?.stop())

  test('what is created through the gateway of another cell is in the cell of the account alone', async () => {
    const path = `events/${event.id}.json`
    expect((await abroad('GET', path)).body).toMatchObject({ _id: event.id, account_id: cells.west.account_id })
    expect((await cells.west.api('GET', path)).status).toBe(200)
    expect((await cells.east.api('GET', path)).status).toBe(404)
    expect((await cells.east.api('GET', 'events.json')).body).toEqual([])
    expect((await abroad('GET', 'events.json')).body).toHaveLength(1)
  })

  test('a guest is let in once, through whichever gateway', async () => {
    const point = await event.point()
    const category = await event.category()
    await event.link(category, point, 1)
    await event.guest(category, 'ada1815')
    expect(await event.scan(point, 'ada1815')).toMatchObject({ access_status: 0 })
    const scan = { accesspoint_id: point, guest_uid: 'ada1815' }
    const again = await cells.west.api('POST', `events/${event.id}/access_controls.json`, scan)
    expect(again.body).toMatchObject({ access_status: 3 })
  })

  test('a token that no cell knows is refused, and one of another account sees nothing', async () => {
    for (const token of ['x'.repeat(43), ''])
      expect((await apiOf(cells.east.url, token)('GET', 'events.json')).status).toBe(403)
    const stranger = await cells.west.account('stranger')
    const answer = await apiOf(cells.east.url, stranger.auth_token)('GET', `events/${event.id}/guests.json`)
    expect(answer.status).toBe(404)
  })

  test('a revoked token is forgotten by the gateways of all cells', async () => {
    const { body } = await cells.west.api('POST', 'tokens.json', { name: 'x', scope: 'read' })
    const api = apiOf(cells.east.url, body.token)
    expect((await api('GET', 'events.json')).status).toBe(200)
    expect((await cells.west.api('DELETE', `tokens/${body._id}.json`)).status).toBe(204)
    await expect.poll(async () => (await api('GET', 'events.json')).status).toBe(403)
  })

  test('an event that is archived in its cell is so for the gateways of all', async () => {
    const other = await TestEvent.open({ ...cells.west, api: abroad })
    expect((await other.api('GET', 'guests.json')).status).toBe(200)
    expect((await cells.west.api('PUT', `events/${other.id}.json`, { archived: true })).status).toBe(204)
    await expect.poll(() => other.status('POST', 'guest_categories.json', { name: 'x' })).toBe(409)
  })
})
