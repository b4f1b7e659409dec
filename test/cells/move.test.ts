// @module-tag slow
import { type Cell, cellAt, type Told } from '@gatehouse/cli/cell/cells.ts'
import { copyOnce } from '@gatehouse/cli/cell/copying.ts'
import { decide, fence, rollCall } from '@gatehouse/cli/cell/fencing.ts'
import { Patience } from '@gatehouse/cli/cell/patience.ts'
import { background } from '@gatehouse/proto/concurrency/background.ts'
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

  /** The cells as a command sees them that has closed an account for `lease_ms`, and is killed then. */
  const closed = async (event: TestEvent, lease_ms: number) => {
    const { east, west } = cells
    const { account_id } = event.system
    const whose = { account_id, event_ids: [event.id] }
    const [from, to] = [east, west].map((each) => cellAt(each.bus, each.namespace, new Patience())) as [Cell, Cell]
    const tell = async (cell: Cell, told: Pick<Told, 'state' | 'lease_ms'>) =>
      fence(cell, { ...whose, ...told, epoch: 1 }, { members: await rollCall(cell, account_id), longestMs: 1_000 })
    await tell(to, { state: 'arriving' })
    await tell(from, { state: 'leaving', lease_ms })
    return { from, to, whose }
  }

  test('an account that a killed command has closed is opened again by itself, and cannot be given up then', async () => {
    const { event, point } = await fair('closed')
    const { from, to, whose } = await closed(event, 1_000)
    expect(await ownerIn(cells.east, event)).toMatch(/moving/)
    await expect.poll(() => ownerIn(cells.east, event)).toBe(event.system.account_id)
    expect(await event.scan(point, 'guest1')).toMatchObject({ access_status: 0 })
    const left = { ...whose, state: 'left', epoch: 2, heir: { cell: to.name, epoch: 2 } } as const
    await expect(decide(from, left)).rejects.toThrow(/opened again/)
    expect(await move(cells.east, 'closed', cells.west)).toMatchObject({ code: 0 })
    await expectHome(event, cells.west, cells.east)
  })

  test('once the old cell has given an account up, the new one opens it, whatever happens to the command', async () => {
    const { event, point } = await fair('heir')
    const { from, to, whose } = await closed(event, 60_000)
    await copyOnce(from, to, whose)
    await decide(from, { ...whose, state: 'left', epoch: 2, heir: { cell: to.name, epoch: 2 } })
    await expect.poll(() => ownerIn(cells.west, event)).toBe(event.system.account_id)
    await expect.poll(() => event.scan(point, 'guest1')).toMatchObject({ access_status: 0 })
    // Another run deletes the rest.
    expect(await move(cells.east, 'heir', cells.west)).toMatchObject({ code: 0 })
    await expectHome(event, cells.west, cells.east)
  })

  test('an account that would be closed for too long is opened where it was, and moved later', async () => {
    const { event, point } = await fair('long')
    // Background work that does not end keeps it from leaving.
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    void background.doing(() => ended)
    const moving = move(cells.east, 'long', cells.west, '--closed', '3')
    await expect.poll(() => background.isResting).toBe(true)
    await expect.poll(() => background.isResting).toBe(false)
    expect(await event.scan(point, 'guest1')).toMatchObject({ access_status: 0 })
    end()
    const moved = await moving
    expect(moved, moved.err).toMatchObject({ code: 0, err: expect.stringMatching(/Open again where it was/) })
    await expectHome(event, cells.west, cells.east)
    expect(await event.scan(point, 'guest1')).toMatchObject({ access_status: 3 })
  })

  test('a code of a device is exchanged in the cell of its account alone, once that is not closed', async () => {
    const { event } = await fair('codes')
    const { code } = await event.make('devices.json', { name: 'Door' })
    const exchange = (url: string) => apiOf(url, '')('POST', `device_codes/${code}/exchange.json`)
    await closed(event, 1_000)
    const { status, body } = await exchange(cells.west.url)
    expect(status).toBe(201)
    expect((await apiOf(cells.west.url, body.token)('PUT', 'devices/heartbeat.json', {})).status).toBe(200)
    expect((await exchange(cells.east.url)).status).toBe(401)
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
    const path = `events/${event.id}.json`
    for (const { url } of [home, former]) {
      const { status } = await event.system.api('GET', path, undefined, { base: url })
      expect(status).toBe(200)
    }
    const owners = await Promise.all([home, former].map((cell) => ownerIn(cell, event)))
    expect(owners).toEqual([event.system.account_id, 'The account is moving, try again'])
  }
})

/** Whose an event is, as a cell says; or why it refuses to. */
async function ownerIn({ bus }: System, event: TestEvent): Promise<string> {
  const question = Buffer.from(JSON.stringify({ event_id: event.id }))
  const { body } = await bus
    .call('guests.events.owner', {}, question)
    .catch(({ message }) => ({ body: Buffer.from(JSON.stringify({ account_id: message })) }))
  return JSON.parse(Buffer.from(body).toString()).account_id
}
