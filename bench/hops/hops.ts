import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { BENCH, type Environment } from '../environment.ts'
import { quantile } from '../figures.ts'
import type { ProbeFile, SocketEvent } from './probe.ts'

/* What a request at one connection spends where, by the notes of all processes (probe.ts). */

/** From one note of a request to the next: work of a process, or the way to the next one. */
interface Hop {
  name: string
  /** Microseconds, over all requests: on a busy machine one of ten has the processors for itself at each hop. */
  median: number
  tenth: number
}

interface NamedEvent extends SocketEvent {
  process: string
}

/** The settings that make a process note what passes its sockets into files of a folder. */
export function probing(folder: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'probe.ts')}`, HOPS: folder }
}

/** The hops of check-ins of one kind. */
interface HopsReport {
  name: string
  /** Requests during which nothing else passed the sockets of these processes, of how many. */
  requests: number
  of: number
  hops: Hop[]
}

/** The hops of the check-ins that the load generator has sent one at a time, to the system and to the plain one. */
export function hopsOf(folder: string, { url, peers, system }: Environment): HopsReport[] {
  const portOf = (address = ''): number => Number(new URL(address).port)
  const ports = new Map([
    [0, 'postgres'],
    [portOf(system.mongodbUrl), 'mongod'],
    [portOf(system.redisUrl), 'redis'],
    [portOf(system.natsUrlOf(BENCH)), 'nats'],
  ])
  const chains = new Map([
    [portOf(peers['plain-gateway']), { name: 'plain', processes: ['plain-gateway', 'plain-service', 'mongod'] }],
    [portOf(url), { name: 'gatehouse', processes: ['gateway', 'checkin', 'mongod'] }],
  ])
  const files = readdirSync(folder).map((each) => JSON.parse(readFileSync(join(folder, each), 'utf8')) as ProbeFile)
  const all = files
    .flatMap(({ main, events }) => events.map((event): NamedEvent => ({ ...event, process: nameOf(main) })))
    .sort((one, other) => one.at - other.at)
  return [...chains].map(([port, { name, processes }]) => {
    const chain = new Set(['load', ...processes])
    const passed = all.filter(({ process }) => chain.has(process))
    const requests: NamedEvent[][] = []
    let current: NamedEvent[] | undefined
    for (const event of passed) {
      const isOwn = event.process === 'load' && event.port === port
      if (isOwn && event.way === 'out') current = []
      current?.push(event)
      if (isOwn && event.way === 'in' && current) {
        // Otherwise it is not alone: its answer is that to another one, while the processes warm up.
        if (new Set(current.map(({ process }) => process)).size === chain.size) requests.push(current)
        current = undefined
      }
    }
    const labelOf = ({ process, way, port: at }: NamedEvent): string => {
      const peer = ports.get(at)
      return `${process}${peer === undefined || peer === process ? '' : ` ${peer}`} ${way}`
    }
    const byShape = Map.groupBy(requests, (events) => events.map(labelOf).join(', '))
    const usual = [...byShape.values()].sort((one, other) => other.length - one.length)[0] ?? []
    const labels = usual[0]?.map(labelOf) ?? []
    const hops = labels.slice(1).map((label, index): Hop => {
      const took = usual.map((events) => (events[index + 1] as NamedEvent).at - (events[index] as NamedEvent).at)
      took.sort((one, other) => one - other)
      return { name: `${labels[index]} → ${label}`, median: quantile(took, 0.5), tenth: quantile(took, 0.1) }
    })
    return { name, requests: usual.length, of: requests.length, hops }
  })
}

function sumOf(hops: Hop[]): Hop {
  const sum = (of: (hop: Hop) => number): number => hops.reduce((all, hop) => all + of(hop), 0)
  return { name: 'sum', median: sum((hop) => hop.median), tenth: sum((hop) => hop.tenth) }
}

/** Prints hops. */
export function printHops(reports: HopsReport[]): void {
  for (const { name, requests, of, hops } of reports) {
    console.log(`\n${name}: ${requests} of ${of} check-ins; µs, the median and the tenth percentile`)
    for (const { name: hop, ...figures } of [...hops, sumOf(hops)])
      console.log(`${[figures.median, figures.tenth].map((each) => each.toFixed(0).padStart(8)).join('')}  ${hop}`)
  }
}

/** `gateway` for `gateway/main.ts`, `plain-gateway` for `bench/peers/plain-gateway.ts`. */
function nameOf(main: string): string {
  const file = basename(main, '.ts')
  return file === 'main' ? basename(dirname(main)) : file
}
