import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import { Client } from './client.ts'
import type { DrillEvent } from './drill-event.ts'
import { scanFully } from './full.ts'
import type { Gate } from './gate.ts'
import { type FaultKind, faultKinds, withoutRedis } from './injected-faults.ts'
import type { Phase } from './phases.ts'
import { now, type Record } from './record.ts'
import { send } from './scanning.ts'
import type { DrillSystem } from './system.ts'

/** After a fault each gateway must grant a check-in again within this time. */
const RECOVERY_MS = 10_000
const PROBE_MS = 100
const MEASURED_MS = 3_000
/** The required scans/s without Redis. */
const MIN_PER_SECOND = 300
/** The required share of the earlier scans/s once Redis is back. */
const MIN_SHARE = 0.6

/** The number of kinds of faults. */
export const KINDS = faultKinds.length + 1

/** Injects faults and records their effects. */
export class FaultInjector {
  readonly #system: DrillSystem
  readonly #record: Record
  readonly #drillEvent: DrillEvent
  readonly #chance: Random
  readonly #gate: Gate
  readonly #phase: Phase
  readonly #say: (line: string) => void
  readonly #client: Client

  /** `gate` holds devices back during a measurement. */
  constructor(
    system: DrillSystem,
    record: Record,
    drillEvent: DrillEvent,
    chance: Random,
    gate: Gate,
    phase: Phase,
    say: (line: string) => void,
  ) {
    this.#system = system
    this.#record = record
    this.#drillEvent = drillEvent
    this.#chance = chance
    this.#gate = gate
    this.#phase = phase
    this.#say = say
    this.#client = new Client(system, record, phase)
  }

  /**
   * Injects one fault after another until `stop`, in an order which depends on the seed: each kind once before any comes again. Waits each time until
   * all processes serve again. Calls `onRound` after each kind came once.
   */
  async injectUntil(stop: AbortSignal, onRound: () => void): Promise<void> {
    while (!stop.aborted) {
      for (const next of this.#chance.shuffled([...faultKinds, 'keep redis away' as const])) {
        if (stop.aborted) return
        if (next === 'keep redis away') await this.#gate.closedFor(() => this.#keepAway())
        else await this.#inject(next)
        await sleep(300 + this.#chance.below(900), undefined, { signal: stop }).catch(() => {})
      }
      onRound()
    }
  }

  async #inject({ what, name, kills, inject: fault }: FaultKind): Promise<void> {
    const from = now()
    await fault(this.#system, this.#phase.signal)
    const to = now()
    // Counted right after the kill: Redis may have served for a moment while it was kept away.
    const before = this.#system.servedOf(name)
    const back = await this.#recovery(kills ? { name, before } : undefined)
    this.#record.faults.push({ what, name, from, to, back })
    const rate = this.#ratePerSecond(from, back ?? to)
    this.#say(
      `${seconds(from)} ${what}: ${back ? `serves after ${Math.round(back - to)} ms` : 'DOES NOT SERVE'}, ${rate} answers/s`,
    )
    if (!back)
      this.#record.violation('recovery', 'does not serve within 10 s', [
        `${what} at ${Math.round(from)} ms, over at ${Math.round(to)} ms`,
      ])
    if (name === 'redis' && to - from > 1_000 && rate < 1)
      this.#record.violation('alone', 'the door stands still without Redis', [`${what} at ${Math.round(from)} ms`])
  }

  /** Measures at full load: before, without Redis, and with an empty Redis. */
  async #keepAway(): Promise<void> {
    const devices = this.#system.gateways.map((_, n) => new Client(this.#system, this.#record, this.#phase, n))
    const measure = (part: number): Promise<number> =>
      scanFully(devices, this.#record, this.#drillEvent, this.#chance, part, MEASURED_MS)
    const before = await measure(0)
    let away = 0
    await this.#inject({
      what: 'keep redis away at full load, and delete its data',
      name: 'redis',
      kills: true,
      inject: (system) =>
        withoutRedis(system, async () => {
          away = await measure(1)
        }),
    })
    const back = await measure(2)
    this.#record.rates.push({ before, away, back })
    const told = `${before} scans/s before, ${away} without Redis, ${back} when it is back and empty`
    this.#say(`         ${told}`)
    const { slack } = this.#record
    if (Math.min(away, back) < MIN_PER_SECOND / slack)
      this.#record.violation('alone', `less than ${MIN_PER_SECOND} scans/s without Redis`, [told])
    if (back < (before * MIN_SHARE) / slack)
      this.#record.violation('alone', 'the door stays slow when Redis is back', [told])
  }

  /** Successful requests a second between two moments. */
  #ratePerSecond(from: number, to: number): number {
    const { successes } = this.#record
    return Math.round(successes.filter((at) => at >= from && at <= to).length / ((to - from) / 1000))
  }

  /** The moment when the killed process serves and each gateway grants check-ins again; undefined if that takes too long. */
  async #recovery(killed: { name: string; before: number } | undefined): Promise<number | undefined> {
    const until = now() + RECOVERY_MS * this.#record.slack
    const open = new Set(this.#system.gateways.keys())
    const probes: Promise<void>[] = []
    let back = false
    while (!back && now() < until) {
      // Concurrently: the first may hang until its deadline.
      for (const gateway of open) {
        const scan = this.#record.scan(this.#drillEvent.probe, 'single')
        const probe = send(this.#client, scan, undefined, gateway).then((answered) => {
          if (answered) open.delete(gateway)
        })
        // The end of the phase ends them all, and is thrown below.
        probe.catch(() => {})
        probes.push(probe)
      }
      await sleep(PROBE_MS, undefined, { signal: this.#phase.signal })
      back = open.size === 0 && (!killed || this.#system.servedOf(killed.name) > killed.before)
    }
    const at = now()
    await Promise.all(probes)
    return back ? at : undefined
  }
}

function seconds(at: number): string {
  return `${(at / 1000).toFixed(1).padStart(6)} s`
}
