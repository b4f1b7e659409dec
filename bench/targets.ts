import { OWN } from './cases.ts'
import { median } from './figures.ts'
import { type Sample, total } from './report.ts'
import type { Memory } from './usage.ts'

/** What a case has to reach. */
export interface Target {
  demand: string
  case: string
  measure: 'rate' | 'p50' | 'p99' | 'cpu'
  /** The case that it is compared with, round by round. Without one the bound is a figure of its own. */
  to?: string
  atLeast?: number
  atMost?: number
  /** Milliseconds granted on top of `atMost` times the other's. */
  plus?: number
}

/** The demands, which hold on a machine of two cores within one run. */
export const targets: Target[] = [
  { demand: 'echo / fastify', case: 'echo', measure: 'rate', to: 'fastify', atLeast: 0.7 },
  { demand: 'echo / moleculer', case: 'echo', measure: 'rate', to: 'moleculer', atLeast: 3.5 },
  { demand: 'check-in / fastify', case: 'check-in json', measure: 'rate', to: 'fastify', atLeast: 0.28 },
  { demand: 'check-in / moleculer echo', case: 'check-in json', measure: 'rate', to: 'moleculer', atLeast: 1.45 },
  {
    demand: 'check-in / fastify, c=256',
    case: 'check-in, c=256',
    measure: 'rate',
    to: 'fastify, c=256',
    atLeast: 0.4,
  },
  { demand: 'CPU of check-in / fastify', case: 'check-in json', measure: 'cpu', to: 'fastify', atMost: 4.5 },
  { demand: 'check-in XML / JSON', case: 'check-in xml', measure: 'rate', to: 'check-in json', atLeast: 0.85 },
  {
    demand: 'check-in, told of / check-in',
    case: 'check-in, told of',
    measure: 'rate',
    to: 'check-in json',
    atLeast: 0.9,
  },
  {
    demand: 'check-in, watched / check-in',
    case: 'check-in, watched',
    measure: 'rate',
    to: 'check-in json',
    atLeast: 0.9,
  },
  {
    demand: 'check-in, badges made / check-in',
    case: 'check-in, badges made',
    measure: 'rate',
    to: 'check-in json',
    atLeast: 0.9,
  },
  { demand: 'check-in alone / insertOne', case: 'check-in, c=1', measure: 'p50', to: 'insertOne, c=1', atMost: 2 },
  { demand: 'batch JSON / insertMany', case: 'batch 500 json', measure: 'rate', to: 'insertMany 500', atLeast: 0.85 },
  { demand: 'batch XML / insertMany', case: 'batch 500 xml', measure: 'rate', to: 'insertMany 500', atLeast: 0.6 },
  { demand: 'import / insertMany', case: 'import of guests', measure: 'rate', to: 'insertMany guests', atLeast: 0.3 },
  { demand: 'import, guests a second', case: 'import of guests', measure: 'rate', atLeast: 5_000 },
  { demand: 'list page 1 / driver', case: 'guests page 1', measure: 'p50', to: 'driver page 1', atMost: 1.3 },
  {
    demand: 'page 200, walked / page 1',
    case: 'guests page 200, walked',
    measure: 'p50',
    to: 'guests page 1',
    atMost: 1.25,
  },
  {
    demand: 'page 200, at once / page 1',
    case: 'guests page 200, at once',
    measure: 'p50',
    to: 'guests page 1',
    atMost: 1.5,
  },
  { demand: 'search for one', case: 'guest by search', measure: 'p50', to: 'guest by uid', atMost: 1.5, plus: 4 },
  { demand: 'search for many', case: 'guests by search', measure: 'p50', to: 'guest by uid', atMost: 1.5, plus: 4 },
  {
    demand: '/me / oidc-provider userinfo',
    case: 'sso /me',
    measure: 'rate',
    to: 'oidc-provider userinfo',
    atLeast: 1.4,
  },
  { demand: 'open loop at 70 %, p99', case: 'check-in, open loop', measure: 'p99', atMost: 25 },
  ...['told of', 'watched'].flatMap((name) => [beside(name, 'ten rushes', 1.25), beside(name, 'open loop', 1.5)]),
]

/** What goes on beside the door may not slow it: its p99 at planned moments, as a multiple of that without. */
function beside(name: string, load: string, atMost: number): Target {
  const [own, to] = [`${name}, ${load}`, `check-in, ${load}`]
  return { demand: `${own} / without, p99`, case: own, measure: 'p99', to, atMost }
}

/** What each of our processes may hold at the end of the bench, in MiB. */
const MOST_MEMORY = 150

/** A demand and what came of it. */
export interface Verdict {
  demand: string
  measured: number
  bound: number
  sense: '>=' | '<='
  unit: 'x' | 'ms' | 'MiB' | '/s'
  held: boolean
}

/** Judges what was measured; leaves out what was not. */
export function judge(samples: Map<string, Sample[]>, memory: Record<string, Memory>): Verdict[] {
  const ofCases = targets.flatMap((target) => {
    const own = samples.get(target.case)
    const others = target.to === undefined ? [] : samples.get(target.to)
    return own && others ? [verdictOf(target, own, others)] : []
  })
  const ofMemory = OWN.flatMap((name) => {
    const held = memory[name]?.now
    return held === undefined ? [] : [verdict(`memory of ${name}`, held, '<=', MOST_MEMORY, 'MiB')]
  })
  return [...ofCases, ...ofMemory]
}

function verdictOf(target: Target, own: Sample[], others: Sample[]): Verdict {
  const { demand, measure, to, atLeast, atMost = 0, plus } = target
  const figure = (sample: Sample): number => (measure === 'cpu' ? total(sample) : sample[measure])
  const sense = atLeast === undefined ? '<=' : '>='
  const bound = atLeast ?? atMost
  if (to === undefined) return verdict(demand, median(own.map(figure)), sense, bound, measure === 'rate' ? '/s' : 'ms')
  if (plus !== undefined) {
    return verdict(demand, median(own.map(figure)), sense, bound * median(others.map(figure)) + plus, 'ms')
  }
  const ratios = own.map((sample, round) => figure(sample) / figure(others[round] as Sample))
  return verdict(demand, median(ratios), sense, bound, 'x')
}

/** A measured figure beside its bound. */
export function verdict(
  demand: string,
  measured: number,
  sense: Verdict['sense'],
  bound: number,
  unit: Verdict['unit'],
): Verdict {
  return { demand, measured, bound, sense, unit, held: sense === '>=' ? measured >= bound : measured <= bound }
}
