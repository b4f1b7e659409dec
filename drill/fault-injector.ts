import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { DoorSystem, RealSystem } from '@gatehouse/test/load/system.ts'
import type { DrillClient } from './client.ts'
import type { FaultKind } from './injected-faults.ts'
import { type InjectedFault, now, timeOf } from './record.ts'

const PROBE_MS = 100

/** A kind of fault, or something longer that injects faults itself. */
export type Injection<System extends DoorSystem = RealSystem> =
  | FaultKind<System>
  | ((injector: FaultInjector<System>) => Promise<void>)

/** What faults are injected into, and what they must not break. */
export interface Injecting<System extends DoorSystem = RealSystem> {
  client: DrillClient<System>
  chance: Random
  say: (line: string) => void
  kinds: readonly Injection<System>[]
  /** Those of them that come first, so that a short run has them too. */
  first?: readonly Injection<System>[]
  /** Whether the system does its work through this gateway. */
  probe(gateway: number): Promise<boolean>
  /** After a fault it must do so again within this time. */
  recoveryMs: number
  /** Called after each fault with the number of successful answers a second until its end. The next fault waits for it. */
  injected?(fault: InjectedFault, rate: number): Promise<void> | void
}

/** Injects faults and records their effects. */
export class FaultInjector<System extends DoorSystem = RealSystem> {
  readonly #options: Injecting<System>

  constructor(options: Injecting<System>) {
    this.#options = options
  }

  /**
   * Injects one fault after another until `stop`, in an order that depends on the seed: each kind once before any comes again. Waits each time until
   * all processes serve again. Calls `onRound` after each kind came once.
   */
  async injectUntil(stop: AbortSignal, onRound: () => void = () => {}): Promise<void> {
    const { chance, kinds, first = [] } = this.#options
    for (let round = 0; !stop.aborted; round++) {
      const order = chance.shuffled(kinds)
      if (round === 0) order.sort((one, other) => Number(first.includes(other)) - Number(first.includes(one)))
      for (const next of order) {
        if (stop.aborted) return
        if (typeof next === 'function') await next(this)
        else await this.inject(next)
        await sleep(300 + chance.below(900), undefined, { signal: stop }).catch(() => {})
      }
      onRound()
    }
  }

  /** Injects a fault, and waits until all processes serve again. */
  async inject({ what, name, kills, inject: fault }: FaultKind<System>): Promise<void> {
    const { client, say, recoveryMs, injected } = this.#options
    const { system, record, phase } = client
    const from = now()
    await fault(system, phase.signal)
    const to = now()
    // Counted right after the kill: the process may have served for a moment while it was kept away.
    const before = system.servedOf(name)
    const back = await this.#recovery(kills ? { name, before } : undefined)
    const injectedFault = { what, name, from, to, back }
    record.faults.push(injectedFault)
    const rate = this.#ratePerSecond(from, back ?? to)
    say(
      `${timeOf(from)} ${what}: ${back ? `serves after ${Math.round(back - to)} ms` : 'DOES NOT SERVE'}, ${rate} answers/s`,
    )
    if (!back)
      record.violation('recovery', `does not serve within ${recoveryMs / 1_000} s`, [
        `${what} at ${Math.round(from)} ms, over at ${Math.round(to)} ms`,
      ])
    await injected?.(injectedFault, rate)
  }

  /** Successful requests a second between two moments. */
  #ratePerSecond(from: number, to: number): number {
    const { successes } = this.#options.client.record
    return Math.round(successes.filter((at) => at >= from && at <= to).length / ((to - from) / 1000))
  }

  /** The moment when the killed process serves and each gateway does its work again; undefined if that takes too long. */
  async #recovery(killed: { name: string; before: number } | undefined): Promise<number | undefined> {
    const { client, probe, recoveryMs } = this.#options
    const { system, record, phase } = client
    const until = now() + recoveryMs * record.slack
    const open = new Set(system.gateways.keys())
    const probes: Promise<void>[] = []
    let back = false
    while (!back && now() < until) {
      // Concurrently: the first may hang until its deadline.
      for (const gateway of open) {
        const probing = probe(gateway).then((answered) => {
          if (answered) open.delete(gateway)
        })
        // The end of the phase ends them all, and is thrown below.
        probing.catch(() => {})
        probes.push(probing)
      }
      await sleep(PROBE_MS, undefined, { signal: phase.signal })
      back = open.size === 0 && (!killed || system.servedOf(killed.name) > killed.before)
    }
    const at = now()
    await Promise.all(probes)
    return back ? at : undefined
  }
}
