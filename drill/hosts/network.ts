import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { execute } from '@gatehouse/local/execute'
import { boundToParent, type CommandLine } from '@gatehouse/local/parent-bound'
import { until } from '@gatehouse/local/probes'
import {
  backAddressOf,
  cableAddressOf,
  DATABASE,
  frontAddressOf,
  hardwareAddressOf,
  RELAY_ADDRESS,
  VXLAN_PORT,
} from './addresses.ts'
import type { Line, LineChange } from './lines.ts'

/** Frames between hosts are large, so that the relay has few to pass on. */
const CABLE_BYTES = '9000'
const FRAME_BYTES = '8900'

/** A network namespace: a process that does nothing has it, and it ends with that process. */
interface Namespace {
  pid: number
  /** The command line of a program in it. */
  inside(command: string, args: readonly string[]): CommandLine
}

/**
 * Hosts as network namespaces. They reach each other and the database through a relay, which can lose and delay what they send; devices at the doors,
 * in this process, reach each host by a cable of its own.
 */
export class HostNetwork {
  readonly #hosts = new Map<number, Namespace>()
  readonly #children: ChildProcess[] = []
  #relay: ChildProcess | undefined

  /** Makes the namespaces of nodes 1 to `count`, and puts this process's namespace on their network as that of the database. */
  async open(count: number, seed: number): Promise<void> {
    await ip('link', 'set', 'lo', 'up')
    const cables = await this.#namespace()
    await run(cables.inside('ip', ['address', 'add', `${RELAY_ADDRESS}/32`, 'dev', 'lo']))
    const nodes = [...Array.from({ length: count }, (_, n) => n + 1), DATABASE]
    for (const node of nodes) {
      const host = node === DATABASE ? undefined : await this.#namespace()
      if (host) {
        this.#hosts.set(node, host)
        await connectToDoors(node, host)
      }
      await connectToRelay(node, host, cables, nodes)
    }
    await this.#startRelay(cables, seed)
  }

  /** The command line of a program on a host. */
  on(node: number, command: string, args: readonly string[]): CommandLine {
    return this.#host(node).inside(command, args)
  }

  /** Connects a host with the devices at the doors, or takes that cable away. */
  async setFront(node: number, state: 'up' | 'down'): Promise<void> {
    await run(this.#host(node).inside('ip', ['link', 'set', 'front', state]))
  }

  /** Changes the lines between each of some nodes and each of others, in both directions. */
  async changeBetween(some: readonly number[], others: readonly number[], line: Partial<Line>): Promise<void> {
    await this.change(some, others, line)
    await this.change(others, some, line)
  }

  /** Changes the lines from each of some nodes to each of others; those of a node to itself do not count. */
  async change(from: readonly number[], to: readonly number[], line: Partial<Line>): Promise<void> {
    const changes = from.flatMap((one) =>
      to.flatMap((other): LineChange[] => (one === other ? [] : [{ from: one, to: other, ...line }])),
    )
    const relay = this.#relay
    if (!relay?.connected) return
    const changed = once(relay, 'message')
    relay.send(changes)
    await changed
  }

  /** Ends all; the kernel removes the namespaces with everything in them. */
  close(): void {
    for (const child of this.#children) child.kill('SIGKILL')
  }

  #host(node: number): Namespace {
    const host = this.#hosts.get(node)
    if (!host) throw new Error(`there is no host ${node}`)
    return host
  }

  async #namespace(): Promise<Namespace> {
    const { command, args } = boundToParent('unshare', ['--net', '--', 'sleep', 'infinity'])
    const child = spawn(command, args, { stdio: 'ignore' })
    this.#children.push(child)
    const pid = child.pid as number
    const own = readlinkSync('/proc/self/ns/net')
    await until(async () => readlinkSync(`/proc/${pid}/ns/net`) !== own, AbortSignal.timeout(10_000))
    const made: Namespace = {
      pid,
      inside: (program, given) => ({
        command: 'nsenter',
        args: [`--net=/proc/${pid}/ns/net`, '--', program, ...given],
      }),
    }
    await run(made.inside('ip', ['link', 'set', 'lo', 'up']))
    return made
  }

  async #startRelay(cables: Namespace, seed: number): Promise<void> {
    const { command, args } = cables.inside(process.execPath, [`${import.meta.dirname}/relay.ts`, String(seed)])
    const bound = boundToParent(command, args)
    const relay = spawn(bound.command, bound.args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#children.push(relay)
    this.#relay = relay
    await once(relay, 'message')
  }
}

/** Gives a host its card for devices at the doors, whose other end is here. */
async function connectToDoors(node: number, host: Namespace): Promise<void> {
  const here = `doors-${node}`
  await ip('link', 'add', here, 'type', 'veth', 'peer', 'name', 'front', 'netns', String(host.pid))
  await ip('address', 'add', `10.78.${node}.2/24`, 'dev', here)
  await ip('link', 'set', here, 'up')
  await run(host.inside('ip', ['address', 'add', `${frontAddressOf(node)}/24`, 'dev', 'front']))
  await run(host.inside('ip', ['link', 'set', 'front', 'up']))
}

/** Gives a node its card for the other nodes: a VXLAN to the relay, over a cable. Without a host it is this process's namespace. */
async function connectToRelay(
  node: number,
  host: Namespace | undefined,
  cables: Namespace,
  nodes: readonly number[],
): Promise<void> {
  const inside = (command: string, ...args: string[]) => run(host ? host.inside(command, args) : { command, args })
  const there = `cable-${node}`
  const pid = String(host?.pid ?? process.pid)
  const peer = ['type', 'veth', 'peer', 'name', 'cable', 'mtu', CABLE_BYTES, 'netns', pid]
  await run(cables.inside('ip', ['link', 'add', there, 'mtu', CABLE_BYTES, ...peer]))
  await run(cables.inside('ip', ['link', 'set', there, 'up']))
  await run(cables.inside('ip', ['route', 'add', cableAddressOf(node), 'dev', there]))
  await inside('ip', 'address', 'add', `${cableAddressOf(node)}/24`, 'dev', 'cable')
  await inside('ip', 'link', 'set', 'cable', 'up')
  // One segment for each frame: the relay gets what the card would send.
  const card = ['address', hardwareAddressOf(node), 'mtu', FRAME_BYTES, 'gso_max_segs', '1']
  const remote = ['id', '1', 'remote', RELAY_ADDRESS, 'dstport', String(VXLAN_PORT), 'nolearning']
  await inside('ip', 'link', 'add', 'back', ...card, 'type', 'vxlan', ...remote)
  await inside('ip', 'address', 'add', `${backAddressOf(node)}/24`, 'dev', 'back')
  await inside('ip', 'link', 'set', 'back', 'up')
  for (const other of nodes)
    if (other !== node) {
      const there = ['lladdr', hardwareAddressOf(other), 'dev', 'back', 'nud', 'permanent']
      await inside('ip', 'neighbour', 'add', backAddressOf(other), ...there)
    }
  // Cables in the kernel carry segments without checksums, which the relay's datagrams would lack.
  const filling = ['-j', 'CHECKSUM', '--checksum-fill']
  await inside('iptables', '-t', 'mangle', '-A', 'POSTROUTING', '-o', 'back', ...filling)
}

function ip(...args: string[]): Promise<string> {
  return run({ command: 'ip', args })
}

function run({ command, args }: CommandLine): Promise<string> {
  return execute(command, args)
}
