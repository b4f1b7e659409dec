import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ran, runGatehouseProcess, settingsFor } from '@gatehouse/test/harness/command-line.ts'
import { type KillableProcess, startKillable, startKillableGateway } from '@gatehouse/test/harness/killable.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { FilledEvent } from '../testing/filled-event.ts'
import { migrateInto } from '../testing/migrating.ts'

const SERVICES = ['partners', 'leads', 'promo', 'badges'] as const
/** Every second request goes to the process that is killed. */
const TRIES = 4
/** Answers of a store at which its service is killed, and answers of the other system at which the command is. */
const MOST = 16
const DEADLINE_MS = 2_000

/** The command, a service here or the gateway there is killed -9 at each answer that it waits for or gives. Afterwards everything is here as there. */
describe('a takeover that is killed', deep, () => {
  let here: System
  let there: System

  beforeAll(async () => {
    here = await startSystem({ with: [...SERVICES], gateway: { deadline_ms: DEADLINE_MS } })
    there = await startSystem({ with: [...SERVICES] })
  })
  afterAll(async () => {
    await Promise.all([here?.stop(), there?.stop()])
  })

  const verified = async ({ id }: FilledEvent): Promise<object> => {
    const { code, err } = await migrateInto(here, there, { event: [id], verify: true })
    return { code, differing: err.split('\n').filter((line) => /is (not )?here|there$/.test(line)) }
  }
  const SAME = { code: 0, differing: [] }

  /** Gives what each run of the command takes over: an event that is new, or what has changed of one since the last run. */
  function given(what: 'takeover' | 'update'): () => Promise<FilledEvent> {
    let event: FilledEvent | undefined
    return async () => {
      if (what === 'takeover') return FilledEvent.open(there)
      if (!event) {
        event = await FilledEvent.open(there)
        await migrateInto(here, there, { event: [event.id] })
      }
      await event.changeAll()
      return event
    }
  }

  /** Kills a process at its first answer during a run, at the second one during another run, and so on until it gives no more. */
  async function killedAtEach(killable: KillableProcess, open: () => Promise<FilledEvent>, url = there.url) {
    let kills = 0
    for (let nth = 1; nth === kills + 1 && nth <= MOST; nth++)
      for (let tries = 0; tries < TRIES && kills < nth; tries++) {
        const event = await open()
        const wasKilled = await killable.killAtAnswer(nth)
        await migrateInto(here, { ...there, url }, { event: [event.id] })
        if (wasKilled()) kills++
        expect([nth, await verified(event)]).toEqual([nth, SAME])
        await killable.serving()
      }
    expect(kills).toBeGreaterThan(0)
  }

  /** Kills a process again and again while the command follows an event, in which things of each kind come, change and go. */
  async function killedWhileFollowing(killable: KillableProcess, url = there.url) {
    const event = await FilledEvent.open(there)
    const stop = new AbortController()
    const terminal = captured({ stop: stop.signal })
    const following = migrateInto(
      here,
      { ...there, url },
      { event: [event.id], follow: true, compareEvery: 1 },
      terminal,
    )
    try {
      await expect.poll(() => terminal.text.err).toContain('Following')
      let kills = 0
      for (let nth = 1; nth <= MOST; nth++) {
        const wasKilled = await killable.killAtAnswer(nth)
        await event.changeAll()
        await event.replaceSome()
        await expect.poll(() => event.in(here).ids(), { timeout: 120_000, interval: 250 }).toEqual(await event.ids())
        if (wasKilled()) kills++
        await killable.serving()
      }
      await expect.poll(() => verified(event), { timeout: 120_000, interval: 1_000 }).toEqual(SAME)
      expect(kills).toBeGreaterThan(0)
    } finally {
      stop.abort()
      await following
    }
  }

  const names = ['guests', 'checkin', ...SERVICES] as const
  const started = (name: (typeof names)[number]) => startKillable(name, here, { deadline_ms: DEADLINE_MS })

  describe.each(names)('%s at each answer of its store', (service) => {
    test.each(['takeover', 'update'] as const)(`during ${service}'s part of a %s`, async (what) => {
      const killable = await started(service)
      await killedAtEach(killable, given(what)).finally(killable.stop)
    })

    test(`while ${service} follows`, async () => {
      const killable = await started(service)
      await killedWhileFollowing(killable).finally(killable.stop)
    })
  })

  describe('the gateway of the other system at each answer', () => {
    test.each(['takeover', 'update'] as const)('during a gateway %s', async (what) => {
      const gateway = await startKillableGateway(there)
      await killedAtEach(gateway, given(what), gateway.url).finally(gateway.stop)
    })

    test('while a gateway is followed', async () => {
      const gateway = await startKillableGateway(there)
      await killedWhileFollowing(gateway, gateway.url).finally(gateway.stop)
    })
  })

  describe('the command at each answer of the other system', () => {
    let proxy: Awaited<ReturnType<typeof proxyTo>>
    let folder: string

    beforeAll(async () => {
      proxy = await proxyTo(there.url)
      folder = await mkdtemp(join(tmpdir(), 'migrate-'))
      await writeFile(join(folder, 'token'), there.auth_token)
    })
    afterAll(async () => {
      await proxy.close()
      await rm(folder, { recursive: true })
    })

    /** Runs the command, which is killed at the nth answer if that comes. */
    async function run({ id }: FilledEvent, nth: number, ...more: string[]): Promise<Ran & { isKilled: boolean }> {
      const from = ['--from', `http://${proxy.host}`, '--token-file', join(folder, 'token')]
      const killing = new AbortController()
      let left = nth
      proxy.watch(() => {
        if (--left === 0) killing.abort()
        return true
      })
      const args = ['migrate', ...from, '--account', here.slug, '--event', id, ...more]
      const ran = await runGatehouseProcess(args, settingsFor(here), '', killing.signal)
      return { ...ran, isKilled: killing.signal.aborted }
    }

    test.each(['takeover', 'update'] as const)('during a command %s', async (what) => {
      const open = given(what)
      for (let nth = 1, isKilled = true; isKilled && nth <= MOST; nth++) {
        const event = await open()
        isKilled = (await run(event, nth)).isKilled
        const { code } = await run(event, Number.POSITIVE_INFINITY)
        expect([nth, code, await verified(event)]).toEqual([nth, 0, SAME])
      }
    })

    test('while a command follows', async () => {
      const event = await FilledEvent.open(there)
      await migrateInto(here, there, { event: [event.id] })
      for (let nth = 1; nth <= MOST; nth++) {
        await event.changeAll()
        await event.replaceSome()
        // It begins by taking everything over once more, which takes some twenty answers.
        const { isKilled } = await run(event, 5 * nth, '--follow', '--compare-every', '1')
        expect(isKilled).toBe(true)
      }
      const stop = new AbortController()
      const last = captured({ stop: stop.signal })
      const following = migrateInto(here, there, { event: [event.id], follow: true, compareEvery: 1 }, last)
      await expect.poll(() => event.in(here).ids(), { timeout: 120_000, interval: 250 }).toEqual(await event.ids())
      stop.abort()
      await following
      expect(await verified(event)).toEqual(SAME)
    })
  })
})
