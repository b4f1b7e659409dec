import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Ran, runGatehouseProcess, settingsFor } from '@gatehouse/test/harness/command-line.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentOf } from '../testing/archive-content.ts'
import { captured } from '../testing/captured-terminal.ts'
import { FilledEvent } from '../testing/filled-event.ts'
import { KillableSystem } from '../testing/killable-services.ts'
import { exportEverything } from './export.ts'
import { importEverything } from './import.ts'

const SERVICES = ['guests', 'checkin', 'partners', 'leads', 'promo', 'badges', 'hooks'] as const
/** Answers of a store at which its service is killed. */
const MOST = 12
/** From one answer at which the command is killed to the next one. */
const STEP = 4

describe('an archive of an event', deep, () => {
  let killables: KillableSystem
  let here: System
  let there: System
  let root: string
  let proxy: TcpProxy
  let folders = 0

  beforeAll(async () => {
    const others = ['partners', 'leads', 'promo', 'badges', 'hooks'] as const
    ;[killables, there] = await Promise.all([KillableSystem.start(SERVICES), startSystem({ with: [...others] })])
    here = killables.system
    root = await mkdtemp(join(tmpdir(), 'event-archive-'))
    proxy = await proxyTo(settingsFor(here).NATS_URL as string)
  })
  afterAll(async () => {
    await Promise.all([killables?.stop(), there?.stop(), proxy?.close()])
    await rm(root, { recursive: true, force: true })
  })

  /** What a system has of an event, as if it were of the account there. */
  async function archived(bus: Bus, event: string): Promise<{ out: string; content: object }> {
    const out = join(root, String(++folders))
    const terminal = captured()
    expect(await exportEverything({ event, out }, bus, terminal), terminal.text.err).toBe(0)
    const content = JSON.stringify(await contentOf(out)).replaceAll(here.account_id, there.account_id)
    return { out, content: JSON.parse(content) }
  }

  /** Runs a command here or there, which is killed at the nth answer of the system if that comes. */
  async function run(system: System, args: string[], nth: number): Promise<Ran & { isKilled: boolean }> {
    const killing = new AbortController()
    let left = nth
    proxy.watch(() => {
      if (--left === 0) killing.abort()
      return true
    })
    const settings = { ...settingsFor(system), NATS_URL: proxy.url }
    return { ...(await runGatehouseProcess(args, settings, '', killing.signal)), isKilled: killing.signal.aborted }
  }

  const imported = (file: string) => importEverything(file, { account: here.slug }, killables.bus, captured())

  test('whose import is killed at any answer is complete after another one, with nothing twice', async () => {
    for (let nth = 1, isKilled = true; isKilled; nth += STEP) {
      const { id } = await FilledEvent.open(there)
      const { out, content } = await archived(there.bus, id)
      const args = ['import', 'everything', out, '--account', here.slug]
      isKilled = (await run(here, args, nth)).isKilled
      if (isKilled) await imported(out).catch(({ message }: Error) => expect(message).toContain('is there already'))
      expect([nth, (await archived(here.bus, id)).content]).toEqual([nth, content])
    }
  })

  test('is imported whole while each service is killed', async () => {
    let isKilled = true
    for (let nth = 1; isKilled && nth <= MOST; nth++) {
      const { id } = await FilledEvent.open(there)
      const { out, content } = await archived(there.bus, id)
      isKilled = await killables.killAll(nth, () => imported(out))
      expect([nth, (await archived(here.bus, id)).content]).toEqual([nth, content])
    }
    killables.expectAllKilled()
  })

  test('whose export is killed at any answer is whole, or is none; and is whole after another one', async () => {
    const { id } = await FilledEvent.open(there)
    const { content } = await archived(there.bus, id)
    for (let nth = 1, isKilled = true; isKilled; nth += STEP) {
      const out = join(root, String(++folders))
      const args = ['export', 'everything', '--event', id, '--out', out]
      isKilled = (await run(there, args, nth)).isKilled
      if (existsSync(`${out}.part`)) {
        await expect(imported(`${out}.part`)).rejects.toThrow()
        expect((await run(there, args, Number.POSITIVE_INFINITY)).err).toContain(`Delete ${out}.part first`)
        await rm(`${out}.part`, { recursive: true })
      }
      if (!existsSync(out)) expect(await run(there, args, Number.POSITIVE_INFINITY)).toMatchObject({ code: 0 })
      expect(Object.keys(await contentOf(out))).toEqual(Object.keys(content))
    }
  })

  test('whose export is stopped leaves nothing', async () => {
    const { id } = await FilledEvent.open(there)
    const [stop, out] = [new AbortController(), join(root, 'stopped')]
    stop.abort()
    const terminal = captured({ stop: stop.signal })
    expect(await exportEverything({ event: id, out }, there.bus, terminal)).toBe(130)
    expect([existsSync(out), existsSync(`${out}.part`)]).toEqual([false, false])
  })
})
