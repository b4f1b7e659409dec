import type { BackgroundReport } from './background.ts'
import type { BenchCase } from './case.ts'
import { median } from './figures.ts'
import type { MemoryUse, Traffic } from './usage.ts'

/** The figures of one run of a case. */
export interface Sample {
  /** Requests a second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** CPU seconds for 1,000 requests, by process. */
  cpu: Record<string, number>
  /** The operations of NATS and Redis for 1,000 requests. */
  counters?: StoreCounters
  background?: BackgroundReport
}

/** A target and its result. */
export interface TargetResult {
  target: string
  measured: number
  bound: number
  /** What was asked for beyond the bound. */
  asked?: number
  sense: '>=' | '<='
  unit: 'x' | 'ms' | 'MiB' | '/s'
  held: boolean
}

/** Sums of several runs, with the longest `seconds`; undefined without background work. */
export function backgroundOf(runs: { background?: BackgroundReport }[]): BackgroundReport | undefined {
  const all = runs.flatMap(({ background }) => background ?? [])
  if (all.length === 0) return undefined
  const sum = (of: (background: BackgroundReport) => number): number =>
    all.reduce((total, background) => total + of(background), 0)
  return {
    during: sum(({ during }) => during),
    afterwards: sum(({ afterwards }) => afterwards),
    seconds: Math.max(...all.map(({ seconds }) => seconds)),
  }
}

/** What NATS and Redis did for 1,000 requests. */
export interface StoreCounters {
  traffic: Record<string, Traffic>
  /** Redis's own count of its commands by name, those of scripts included. */
  redis: Record<string, number>
}

/** A line of the table: medians over the rounds; ratios are taken within each round first. */
export interface ReportRow extends Sample {
  name: string
  cpuTotal: number
  baseline: string | undefined
  /** The ratio of requests a second, or of median latencies (`ratioIs`). */
  ratio: number | undefined
  ratioIs: 'rate' | 'p50'
  /** The ratio of `cpuTotal`. */
  cpuRatio: number | undefined
}

/** Computes the rows of the table from the samples. */
export function rowsOf(cases: BenchCase[], samples: Map<string, Sample[]>): ReportRow[] {
  return cases.map(({ name, baseline, latency }) => {
    const own = samples.get(name) ?? []
    const floors = (baseline && samples.get(baseline)) || []
    const ratioIs = latency ? 'p50' : 'rate'
    const ratio = (of: (sample: Sample) => number): number | undefined =>
      floors.length > 0 ? median(own.map((sample, round) => of(sample) / of(floors[round] as Sample))) : undefined
    const processes = Object.keys(own[0]?.cpu ?? {})
    const counters = own.at(-1)?.counters
    const background = backgroundOf(own)
    return {
      name,
      ...(counters && { counters }),
      ...(background && { background }),
      rate: median(own.map(({ rate }) => rate)),
      p50: median(own.map(({ p50 }) => p50)),
      p99: median(own.map(({ p99 }) => p99)),
      cpu: Object.fromEntries(processes.map((process) => [process, median(own.map(({ cpu }) => cpu[process] ?? 0))])),
      cpuTotal: median(own.map(total)),
      baseline,
      ratioIs,
      ratio: ratio((sample) => sample[ratioIs]),
      cpuRatio: ratio(total),
    }
  })
}

/** CPU seconds for 1,000 requests in all processes. */
export function total({ cpu }: Sample): number {
  return Object.values(cpu).reduce((sum, each) => sum + each, 0)
}

/** Prints the table. */
export function printTable(rows: ReportRow[]): void {
  console.log(line('', 'req/s', 'p50 ms', 'p99 ms', 'CPU s/1000', 'ratio', 'CPU ratio', 'to'))
  for (const {
    name,
    rate,
    p50,
    p99,
    cpu,
    cpuTotal,
    ratio,
    ratioIs,
    cpuRatio,
    baseline = '',
    counters,
    background,
  } of rows) {
    const ratios = [ratio === undefined ? '' : ratio.toFixed(2), cpuRatio === undefined ? '' : cpuRatio.toFixed(2)]
    const to = baseline && `${baseline}${ratioIs === 'p50' ? ' (p50)' : ''}`
    console.log(line(name, rate.toFixed(0), p50.toFixed(2), p99.toFixed(2), cpuTotal.toFixed(3), ...ratios, to))
    const parts = Object.entries(cpu).map(([process, seconds]) => `${process} ${seconds.toFixed(3)}`)
    if (parts.length > 1) console.log(`    ${parts.join(', ')}`)
    if (counters) console.log(`    ${countersLine(counters)}`)
    if (background) console.log(`    ${backgroundLine(background)}`)
  }
}

function backgroundLine({ during, afterwards, seconds }: BackgroundReport): string {
  const all = during + afterwards
  return `in the background ${all}: ${during} during the load, ${afterwards} afterwards, the last ${seconds.toFixed(1)} s after it`
}

function countersLine({ traffic, redis }: StoreCounters): string {
  const moved = Object.entries(traffic).map(
    ([name, { reads, writes, kibibytes }]) =>
      `${name} ${reads.toFixed(0)} reads ${writes.toFixed(0)} writes ${kibibytes.toFixed(0)} KiB`,
  )
  const commands = Object.entries(redis).map(([command, calls]) => `${command} ${calls.toFixed(0)}`)
  return `for 1000 requests: ${[...moved, ...commands].join(', ')}`
}

/** Prints the memory of each process, largest first. */
export function printMemory(memory: Record<string, MemoryUse>): void {
  console.log('\nmemory in MiB: resident at the end, proportional share of that, peak')
  const sorted = Object.entries(memory).sort(([, a], [, b]) => b.now - a.now)
  for (const [name, { now, peak, share }] of sorted)
    console.log(line(name, ...[now, share, peak].map((mebibytes) => mebibytes.toFixed(0)), ''))
}

/** Prints the targets and their results. */
export function printVerdicts(verdicts: TargetResult[]): void {
  console.log(`\n${line('target', 'measured', 'bound', '')}`)
  for (const { target, measured, bound, asked, sense, unit, held } of verdicts) {
    const figure = (value: number): string => `${value.toFixed(unit === 'MiB' || unit === '/s' ? 0 : 2)} ${unit}`
    console.log(
      line(
        target,
        figure(measured),
        `${sense} ${figure(bound)}`,
        `${held ? 'held' : 'MISSED'}${asked === undefined ? '' : ` (asked: ${figure(asked)})`}`,
      ),
    )
  }
}

function line(name: string, ...cells: string[]): string {
  const to = cells.pop() ?? ''
  return `${name.padEnd(28)}${cells.map((cell) => cell.padStart(12)).join('')}  ${to}`.trimEnd()
}
