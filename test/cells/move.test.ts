// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiOf } from '../harness/api.ts'
import { runGatehouse, settingsFor } from '../harness/command-line.ts'
import type { System, TestAccount } from '../harness/system.ts'
import { TestEvent } from '../harness/test-event.ts'
import { slow } from '../rounds.ts'
import { startTwoCells, type TwoCells } from './two-cells.ts'

describe('gatehouse cell move', slow, () => {
  let cells: TwoCells
  beforeAll(async () => {
    cells = await startTwoCells({ with: 'all' })
  })
  afterAll(() => cells?.stop())

  const move = (from: System, slug: string, to: System, ...more: string[]) =>
    runGatehouse(['cell', 'move', slug, '--to', to.namespace, '--longest', '1', ...more], settingsFor(from))

  /** An event of a new account of the east, at whose door the guests `guest0` to `guest49` come in once. */
  const fair = async (slug: string) => {
    const { east, west } = cells
    const account: TestAccount = await east.account(slug)
    const apis = [east.url, west.url].map((url) => apiOf(url, account.auth_token)) as [Api, Api]
    const event = await TestEvent.open({ ...east, ...account, api: apis[0] })
    const point = await event.point()
    const category = await event.category()
    await event.link(category, point, 1)
    for (let n = 0; n < 50; n++) await event.guest(category, `guest${n}`)
    return { event, point, apis }
  }

  test('an account moves while guests are let in, through both gateways: nobody twice, nothing lost', async () => {
    const { east, west } = cells
    const { event, point, apis } = await fair('moving')
    const granted: string[] = []
    const statuses = new Set<number>()
    const over = new AbortController()
    const device = async (n: number): Promise<void> => {
      for (let turn = n; !over.signal.aborted; turn += 7) {
        const scan = { accesspoint_id: point, guest_uid: `guest${turn % 50}` }
        const path = `events/${event.id}/access_controls.json`
        const { status, body } = await (turn % 2 ? apis[1] : apis[0])('POST', path, scan)
        statuses.add(status)
        if (status === 201 && body.access_status === 0) granted.push(body._id)
      }
    }
    const devices = Array.from({ length: 4 }, (_, n) => device(n))
    const moved = await move(east, 'moving', west)
    await expect
      .poll(() => granted.length)
      .toBe(50)
      .finally(() => over.abort())
    await Promise.all(devices)
    expect(moved, moved.err).toMatchObject({ code: 0 })
    const stored = await event.all('access_controls.json')
    const inside = stored.filter(({ access_status }) => access_status === 0)
    expect(new Set(inside.map(({ _id }) => _id))).toEqual(new Set(granted))
    // Whoever asked meanwhile has waited.
    expect([...statuses]).toEqual([201])
    await expectHome(event, west, east)
  })

  test('it can be stopped by --undo, moved again, and moved back, with what has changed since', async () => {
    const { east, west } = cells
    const { event, point, apis } = await fair('back')
    expect(await event.scan(point, 'guest1')).toMatchObject({ access_status: 0 })
    expect(await move(east, 'back', west, '--undo')).toMatchObject({ code: 0 })
    expect(await event.scan(point, 'guest2')).toMatchObject({ access_status: 0 })
    expect(await move(east, 'back', west)).toMatchObject({ code: 0 })
    await expectHome(event, west, east)
    expect(await event.scan(point, 'guest1')).toMatchObject({ access_status: 3 })
    expect(await event.scan(point, 'guest3')).toMatchObject({ access_status: 0 })
    // Once more changes nothing.
    expect(await move(east, 'back', west)).toMatchObject({ code: 0 })
    expect(await move(west, 'back', east)).toMatchObject({ code: 0 })
    await expectHome(event, east, west)
    for (const uid of ['guest2', 'guest3'])
      expect(
        (await apis[1]('POST', `events/${event.id}/access_controls.json`, { accesspoint_id: point, guest_uid: uid }))
          .body,
      ).toMatchObject({ access_status: 3 })
    expect((await event.read('guests.json')).length).toBe(50)
  })

  test('what is refused says why: a cell without such an account, the own cell, an account that is there', async () => {
    const { east, west } = cells
    await west.account('there')
    expect((await move(east, 'nobody', west)).err).toMatch(/There is no account nobody/)
    expect((await move(east, 'first', west)).err).toMatch(/has another account first/)
    expect((await move(east, 'there', west)).err).toMatch(/lives in the cell .* already/)
    expect((await move(east, 'first', east)).err).toMatch(/This is the cell/)
  })

  /** An event is answered for by the gateways of both cells, but held by one. */
  async function expectHome(event: TestEvent, home: System, former: System): Promise<void> {
    const { bus } = cells.east
    const path = `events/${event.id}.json`
    for (const { url } of [home, former]) {
      const { status } = await event.system.api('GET', path, undefined, { base: url })
      expect(status).toBe(200)
    }
    const owners = [home, former].map(async ({ namespace }) => {
      const { body } = await bus
        .cell(namespace)
        .call('guests.events.owner', {}, Buffer.from(JSON.stringify({ event_id: event.id })))
        .catch((error) => ({ body: Buffer.from(JSON.stringify({ refused: error.message })) }))
      return JSON.parse(Buffer.from(body).toString())
    })
    expect(await Promise.all(owners)).toMatchObject([
      { account_id: event.system.account_id },
      { refused: 'The account is moving, try again' },
    ])
  }
})
