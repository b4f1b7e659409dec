import type { MemoryUse } from '@gatehouse/test/load/processes.ts'
import { OWN } from './case.ts'
import { median } from './figures.ts'
import { cpuTotalOf, type Sample } from './measure.ts'

/** A bound that a case has to meet. */
interface Target {
  case: string
  measure: 'rate' | 'p50' | 'p95' | 'p99' | 'cpu'
  /** The case to compare with, round by round. Without one the bound is in milliseconds. */
  to?: string
  atLeast?: number
  atMost?: number
  /** Milliseconds added to `atMost` times the other case's figure. */
  plus?: number
  /** The bound is that of the minutes for so many requests. */
  requests?: number
}

/** A target and its result. */
export interface TargetResult {
  target: string
  measured: number
  bound: number
  sense: '>=' | '<='
  unit: 'x' | 'ms' | 'min' | 'MiB'
  isMet: boolean
}

const faster = (name: string, to: string, atLeast: number): Target => ({ case: name, measure: 'rate', to, atLeast })
const slower = (name: string, to: string, atMost: number, measure: Target['measure'] = 'p50'): Target => {
  return { case: name, measure, to, atMost }
}

/** The targets, for a machine of two cores: what users would notice, and bounds against regressions. */
export const targets: Target[] = [
  faster('check-in json', 'plain check-in', 3),
  // A guard: a lone scan waits for the next flush, which cost 1.18 to 1.54 times on machines of this kind.
  slower('check-in, c=1', 'plain check-in, c=1', 1.6),
  faster('check-in xml', 'check-in json', 0.85),
  faster('check-in of parties', 'check-in json', 0.85),
  slower('check-in with all terms', 'check-in json', 1.15, 'cpu'),
  slower('check-in with all terms, one person', 'check-in json', 1.15, 'cpu'),
  ...['webhook', 'live feeds', 'snapshots', 'badges'].map((name) =>
    faster(`check-in with ${name}`, 'check-in json', 0.9),
  ),
  slower('check-in with telemetry', 'check-in json', 1.25, 'cpu'),
  // A batch takes 1.2 to 1.4 times the CPU time of the insert alone.
  faster('batch 500 json', 'insertMany 500', 0.6),
  faster('batch 500 xml', 'insertMany 500', 0.5),
  faster('import of guests', 'insertMany guests', 0.3),
  // A million guests and three million check-ins.
  { case: 'takeover beside 100/s', measure: 'rate', requests: 4_000_000, atMost: 15 },
  slower('beside a takeover, 100/s', 'check-in, 100/s', 2, 'p99'),
  slower('guests page 1', 'driver page 1', 1.3),
  slower('guests page 200, walked', 'guests page 1', 1.25),
  slower('guests page 200, direct', 'guests page 1', 1.5),
  { ...slower('guest by search', 'guest by uid', 1.5), plus: 4 },
  { ...slower('guests by search', 'guest by uid', 1.5), plus: 4 },
  // What a device waits for does not grow with the event.
  slower('check-in, c=1', 'check-in, c=1, 1000 guests', 1.3),
  slower('guest by uid', 'guest by uid, 1000 guests', 1.3),
  ...['areas', 'areas after each scan'].map((name) => ({ case: name, measure: 'p95' as const, atMost: 50 })),
  faster('sso /me', 'oidc-provider userinfo', 1.4),
  faster('1,000 invitations accepted', 'insertMany 1,000 invitations', 0.25),
  faster('e-mails of 8 partners', 'nodemailer and two writes', 0.5),
  slower('one e-mail, 200000 wait', 'one e-mail', 2, 'p99'),
  slower('one e-mail, a mailing to 200000', 'one e-mail', 2, 'p99'),
  ...['check-in, 560/s', 'check-in, 70 %'].map((name) => ({ case: name, measure: 'p99' as const, atMost: 25 })),
  slower('with webhook, 560/s', 'check-in, 560/s', 1.25, 'p99'),
  slower('with live feeds, 560/s', 'check-in, 560/s', 1.25, 'p99'),
  slower('with large batches, 560/s', 'check-in, 560/s', 2, 'p99'),
  slower('with printed badges, 560/s', 'check-in, 560/s', 2, 'p99'),
]

/** The memory that each of the system's processes may hold at the end of the bench, in MiB. */
const MAX_MEMORY = 192

/** Compares samples and memory with the targets; those whose cases were not measured are left out. */
export function judge(samples: Map<string, Sample[]>, memory: Record<string, MemoryUse>): TargetResult[] {
  const ofCases = targets.flatMap((target) => {
    const own = samples.get(target.case)
    const others = target.to === undefined ? [] : samples.get(target.to)
    return own && others ? [resultOf(target, own, others)] : []
  })
  const ofMemory = OWN.flatMap((name) => {
    const held = memory[name]?.now
    return held === undefined ? [] : [compared(`memory of ${name}`, held, '<=', MAX_MEMORY, 'MiB')]
  })
  return [...ofCases, ...ofMemory]
}

function resultOf(target: Target, own: Sample[], others: Sample[]): TargetResult {
  const { case: name, measure, to, atLeast, atMost = 0, plus, requests } = target
  const figure = (sample: Sample): number => (measure === 'cpu' ? cpuTotalOf(sample) : sample[measure])
  const title = `${name}${to && plus === undefined ? ` / ${to}` : ''}, ${measure}`
  if (requests !== undefined) {
    const minutes = requests / median(own.map(figure)) / 60
    return compared(`${name}, ${requests.toLocaleString('en')} things`, minutes, '<=', atMost, 'min')
  }
  if (to === undefined) return compared(title, median(own.map(figure)), '<=', atMost, 'ms')
  if (plus !== undefined)
    return compared(title, median(own.map(figure)), '<=', atMost * median(others.map(figure)) + plus, 'ms')
  const ratios = own.map((sample, round) => figure(sample) / figure(others[round] as Sample))
  return compared(title, median(ratios), atLeast === undefined ? '<=' : '>=', atLeast ?? atMost, 'x')
}

function compared(
  target: string,
  measured: number,
  sense: TargetResult['sense'],
  bound: number,
  unit: TargetResult['unit'],
): TargetResult {
  return { target, measured, bound, sense, unit, isMet: sense === '>=' ? measured >= bound : measured <= bound }
}
