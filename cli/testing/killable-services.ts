import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { settingsFor } from '@gatehouse/test/harness/command-line.ts'
import { type KillableProcess, startKillableReplica } from '@gatehouse/test/harness/killable.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { expect } from 'vitest'
import type { ServiceName } from '../../services/services.ts'

/** Of services that ask one another while one of them is killed. */
const DEADLINE_MS = 2_000

/** A system in which each service that holds data of events can be killed: all of them at the same answer of their stores, one after the other. */
export class KillableSystem {
  readonly system: System
  /** As a command's; but a call to a service that is killed meanwhile fails at once rather than at its deadline, for which nobody has to wait. */
  readonly bus: Bus
  readonly #connection: Bus
  readonly #killables: Record<string, KillableProcess>
  readonly #killed = new Set<string>()

  private constructor(system: System, connection: Bus, killables: Record<string, KillableProcess>) {
    this.system = system
    this.#connection = connection
    this.#killables = killables
    this.bus = hearing(connection, killables)
  }

  static async start(names: readonly ServiceName[]): Promise<KillableSystem> {
    const system = await startSystem({ guests: 0, checkins: 0, gateway: { deadline_ms: DEADLINE_MS } })
    const started = names.map(async (name) => {
      return [name, await startKillableReplica(name, system, { deadline_ms: DEADLINE_MS })] as const
    })
    const servers = settingsFor(system).NATS_URL as string
    const { namespace } = system
    const connection = await connectBus({ servers, namespace, name: 'cli', log: makeLog('cli', 'silent') })
    return new KillableSystem(system, connection, Object.fromEntries(await Promise.all(started)))
  }

  /** Adds a process that the tests kill with the services. */
  add(name: string, killable: KillableProcess): void {
    this.#killables[name] = killable
  }

  /** Kills each at its nth answer during some work. Resolves when all serve again; whether any was killed. */
  async killAll(nth: number, work: () => Promise<unknown>): Promise<boolean> {
    const killables = Object.entries(this.#killables)
    const armed = await Promise.all(
      killables.map(async ([name, each]) => ({ name, each, wasKilled: await each.killAtAnswer(nth) })),
    )
    try {
      await work()
    } finally {
      const killed = armed.filter(({ wasKilled }) => wasKilled())
      for (const { name } of killed) this.#killed.add(name)
      await Promise.all(killables.map(([, each]) => each.serving()))
    }
    return armed.some(({ wasKilled }) => wasKilled())
  }

  /** Expects that each has been killed since this was asked last. */
  expectAllKilled(): void {
    expect([...this.#killed].sort()).toEqual(Object.keys(this.#killables).sort())
    this.#killed.clear()
  }

  async stop(): Promise<void> {
    await Promise.all(Object.values(this.#killables).map((each) => each.stop()))
    await this.#connection.stop()
    await this.system.stop()
  }
}

function hearing(bus: Bus, killables: Record<string, KillableProcess>): Bus {
  const call: Bus['call'] = (subject, ...rest) => {
    const asked = bus.call(subject, ...rest)
    const service = killables[subject.slice(0, subject.indexOf('.'))]
    if (!service) return asked
    const dead = service.killed().then(() => {
      throw unavailable()
    })
    return Promise.race([asked, dead])
  }
  return new Proxy(bus, {
    get(target, name) {
      if (name === 'call') return call
      const found: unknown = Reflect.get(target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}
