import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { type Ran, runGatehouseProcess, settingsFor } from '@gatehouse/test/harness/command-line.ts'
import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentOf } from '../testing/archive-content.ts'
import { captured } from '../testing/captured-terminal.ts'
import { FilledEvent } from '../testing/filled-event.ts'
import { exportEverything } from './export.ts'
import { importEverything } from './import.ts'

const SERVICES = ['partners', 'leads', 'promo', 'badges', 'hooks'] as const
/** Answers of a store at which its service is killed. */
const MOST = 12
/** From one answer at which the command is killed to the next one. */
const STEP = 4
const DEADLINE_MS = 2_000

describe('an archive of an event', deep, () => {
  let here: System
  let there: System
  let root: string
  let proxy: TcpProxy
  /** As the command's: what a killed process does not answer is asked again after seconds. */
  let bus: Bus
  let folders = 0

  beforeAll(async () => {
    here = await startSystem({ with: [...SERVICES], gateway: { deadline_ms: DEADLINE_MS } })
    there = await startSystem({ with: [...SERVICES] })
    root = await mkdtemp(join(tmpdir(), 'event-archive-'))
    const servers = settingsFor(here).NATS_URL as string
    proxy = await proxyTo(servers)
    bus = await connectBus({ servers, namespace: here.namespace, name: 'cli', log: makeLog('cli', 'silent') })
  })
  afterAll(async () => {
    await bus?.stop()
    await Promise.all([here?.stop(), there?.stop(), proxy?.close()])
    await rm(root, { recursive: true, force: true })
  })

  /** What a system has of an event, as if it were of the account there. */
  async function archived(system: System, event: string): Promise<{ out: string; content: object }> {
    const out = join(root, String(++folders))
    const terminal = captured()
    expect(await exportEverything({ event, out }, system.bus, terminal), terminal.text.err).toBe(0)
    const content = JSON.stringify(await contentOf(out)).replaceAll(system.account_id, 'the account')
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

  const imported = (folder: string) => importEverything(folder, { account: here.slug }, bus, captured())

  test('whose import is killed at any answer is complete after another one, with nothing twice', async () => {
    for (let nth = 1, isKilled = true; isKilled; nth += STEP) {
      const { id } = await FilledEvent.open(there)
      const { out, content } = await archived(there, id)
      const args = ['import', 'everything', out, '--account', here.slug]
      isKilled = (await run(here, args, nth)).isKilled
      if (isKilled) await imported(out).catch(({ message }: Error) => expect(message).toContain('is there already'))
      expect([nth, (await archived(here, id)).content]).toEqual([nth, content])
    }
  })

  test.each(['guests', 'checkin', ...SERVICES] as const)('is imported whole while %s is killed', async (service) => {
    const killable = await startKillable(service, here, { deadline_ms: DEADLINE_MS })
    try {
      for (let nth = 1; nth <= MOST; nth++) {
        const { id } = await FilledEvent.open(there)
        const { out, content } = await archived(there, id)
        const wasKilled = await killable.killAtAnswer(nth)
        await imported(out)
        wasKilled()
        expect([nth, (await archived(here, id)).content]).toEqual([nth, content])
        await killable.serving()
      }
    } finally {
      await killable.stop()
    }
  })

  test('whose export is killed at any answer is whole, or is none; and is whole after another one', async () => {
    const { id } = await FilledEvent.open(there)
    const { content } = await archived(there, id)
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
