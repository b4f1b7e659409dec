import { type Supervised, type Supervision, supervise } from '@gatehouse/local/supervise'
import { frontAddressOf } from './addresses.ts'
import type { HostClock } from './clock.ts'
import type { HostNetwork } from './network.ts'

/** The port of gateways. */
export const GATEWAY_PORT = 8_080

/** A host with its processes. */
export class Host {
  readonly node: number
  readonly name: string
  /** Where devices at the doors find its gateway. */
  readonly gateway: string
  readonly #network: HostNetwork
  readonly #clock: HostClock
  readonly #stores: readonly Supervision[]
  readonly #processes: readonly Supervision[]
  #running: Supervised[] = []

  constructor(
    node: number,
    network: HostNetwork,
    {
      clock,
      stores,
      processes,
    }: { clock: HostClock; stores: readonly Supervision[]; processes: readonly Supervision[] },
  ) {
    this.node = node
    this.name = `host-${node}`
    this.gateway = `http://${frontAddressOf(node)}:${GATEWAY_PORT}`
    this.#network = network
    this.#clock = clock
    this.#stores = stores
    this.#processes = processes
  }

  /** The names of its processes of Gatehouse. */
  get names(): string[] {
    return this.#processes.map(({ name }) => name)
  }

  /** Sets its clock to be fast by some seconds, or slow if they are negative. */
  setClock(seconds: number): Promise<void> {
    return this.#clock.set(seconds)
  }

  /** Starts its servers of stores; resolves when they serve. */
  startStores(): Promise<unknown> {
    return this.#start(this.#stores)
  }

  /** Starts the processes of Gatehouse; resolves when they serve. */
  startProcesses(): Promise<unknown> {
    return this.#start(this.#processes)
  }

  /** Starts everything, in no order: processes wait for their stores. */
  start(): void {
    this.#start([...this.#stores, ...this.#processes]).catch(() => {})
  }

  /** Kills all processes at once and keeps them from being started again. */
  async kill(): Promise<void> {
    await Promise.all(this.#running.map((each) => each.stop()))
    this.#running = []
  }

  #start(supervisions: readonly Supervision[]): Promise<unknown> {
    const started = supervisions.map((each) => {
      const { command, args } = this.#network.on(this.node, each.command, each.args ?? [])
      return supervise({ ...each, command, args, stopSignal: 'SIGKILL' })
    })
    this.#running.push(...started)
    return Promise.all(started.map(({ ready }) => ready))
  }
}
