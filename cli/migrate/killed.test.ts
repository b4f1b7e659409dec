import { startKillableGateway } from '@gatehouse/test/harness/killable.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { FilledEvent } from '../testing/filled-event.ts'
import { KillableSystem } from '../testing/killable-services.ts'
import { differencesOf, migrateInto, SAME } from '../testing/migrating.ts'

const SERVICES = ['guests', 'checkin', 'partners', 'leads', 'promo', 'badges'] as const
/** Answers at which each process is killed. */
const MOST = 16

/** Each service here is killed -9 at the nth answer of its store, and the gateway there at its nth answer. Afterwards everything is here as there. */
describe('a takeover while each service and the other gateway are killed', deep, () => {
  let killables: KillableSystem
  let here: System
  let there: System
  let source: { url: string; auth_token: string }

  beforeAll(async () => {
    const others = ['partners', 'leads', 'promo', 'badges'] as const
    ;[killables, there] = await Promise.all([KillableSystem.start(SERVICES), startSystem({ with: [...others] })])
    here = { ...killables.system, bus: killables.bus }
    const gateway = await startKillableGateway(there)
    killables.add('gateway', gateway)
    source = { ...there, url: gateway.url }
  })
  afterAll(async () => {
    await killables?.stop()
    await there?.stop()
  })

  /** Kills all at their first answer during a run, at the second one during another run, and so on. */
  async function killedAtEach(open: () => Promise<FilledEvent>): Promise<void> {
    let isKilled = true
    for (let nth = 1; isKilled && nth <= MOST; nth++) {
      const { id } = await open()
      isKilled = await killables.killAll(nth, () => migrateInto(here, source, { event: [id] }))
      expect([nth, await differencesOf(here, there, id)]).toEqual([nth, SAME])
    }
    killables.expectAllKilled()
  }

  test('for the first time', () => killedAtEach(() => FilledEvent.open(there)))

  test('again, after changes there', async () => {
    const event = await FilledEvent.open(there)
    await migrateInto(here, there, { event: [event.id] })
    await killedAtEach(async () => {
      await event.changeAll()
      return event
    })
  })

  test('that follows, while things of each kind come, change and go', async () => {
    const event = await FilledEvent.open(there)
    const stop = new AbortController()
    const terminal = captured({ stop: stop.signal })
    const following = migrateInto(here, source, { event: [event.id], follow: true, compareEvery: 1 }, terminal)
    try {
      await expect.poll(() => terminal.text.err).toContain('Following')
      for (let nth = 1; nth <= MOST; nth++)
        await killables.killAll(nth, async () => {
          await event.changeAll()
          await event.replaceSome()
          const ids = await event.ids()
          await expect.poll(() => event.in(here).ids(), { interval: 250 }).toEqual(ids)
        })
      await expect.poll(() => differencesOf(here, there, event.id), { interval: 1_000 }).toEqual(SAME)
      killables.expectAllKilled()
    } finally {
      stop.abort()
      await following
    }
  })
})
