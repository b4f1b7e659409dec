import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runGatehouseProcess, settingsFor } from '@gatehouse/test/harness/command-line.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { FilledEvent } from '../testing/filled-event.ts'
import { differencesOf, migrateInto, SAME } from '../testing/migrating.ts'

const SERVICES = ['partners', 'leads', 'promo', 'badges'] as const
/** Answers of the other system at which the command is killed. */
const MOST = 16

/** The command is killed -9 at each answer of the other system. When it has run once more, everything is here as there. */
describe('a takeover whose command is killed', deep, () => {
  let here: System
  let there: System
  let proxy: TcpProxy
  let folder: string

  beforeAll(async () => {
    ;[here, there] = await Promise.all([startSystem({ with: [...SERVICES] }), startSystem({ with: [...SERVICES] })])
    proxy = await proxyTo(there.url)
    folder = await mkdtemp(join(tmpdir(), 'migrate-'))
    await writeFile(join(folder, 'token'), there.auth_token)
  })
  afterAll(async () => {
    await proxy?.close()
    await Promise.all([here?.stop(), there?.stop()])
    await rm(folder, { recursive: true })
  })

  /** Runs the command, which is killed at the nth answer if that comes. Whether it was. */
  async function isKilled({ id }: FilledEvent, nth: number, ...more: string[]): Promise<boolean> {
    const from = ['--from', proxy.url, '--token-file', join(folder, 'token')]
    const killing = new AbortController()
    let left = nth
    proxy.watch(() => {
      if (--left === 0) killing.abort()
      return true
    })
    const args = ['migrate', ...from, '--account', here.slug, '--event', id, ...more]
    await runGatehouseProcess(args, settingsFor(here), '', killing.signal)
    return killing.signal.aborted
  }

  async function expectWhole({ id }: FilledEvent, nth: number): Promise<void> {
    const { code } = await migrateInto(here, there, { event: [id] })
    expect([nth, code, await differencesOf(here, there, id)]).toEqual([nth, 0, SAME])
  }

  test('for the first time', async () => {
    for (let nth = 1, killed = true; killed && nth <= MOST; nth++) {
      const event = await FilledEvent.open(there)
      killed = await isKilled(event, nth)
      await expectWhole(event, nth)
    }
  })

  test('again, after changes there', async () => {
    const event = await FilledEvent.open(there)
    await migrateInto(here, there, { event: [event.id] })
    for (let nth = 1, killed = true; killed && nth <= MOST; nth++) {
      await event.changeAll()
      killed = await isKilled(event, nth)
      await expectWhole(event, nth)
    }
  })

  test('while it follows', async () => {
    const event = await FilledEvent.open(there)
    await migrateInto(here, there, { event: [event.id] })
    for (let nth = 1; nth <= MOST; nth++) {
      await event.changeAll()
      await event.replaceSome()
      // It begins by taking everything over once more, which takes some twenty answers.
      expect(await isKilled(event, 5 * nth, '--follow', '--compare-every', '1')).toBe(true)
    }
    // What is gone there goes here when two comparisons have missed it.
    const stop = new AbortController()
    const following = migrateInto(
      here,
      there,
      { event: [event.id], follow: true, compareEvery: 1 },
      captured({ stop: stop.signal }),
    )
    try {
      const ids = await event.ids()
      await expect.poll(() => event.in(here).ids(), { interval: 250 }).toEqual(ids)
    } finally {
      stop.abort()
      await following
    }
    expect(await differencesOf(here, there, event.id)).toEqual(SAME)
  })
})
