import type { MemoryUse } from '@gatehouse/test/load/processes.ts'
import type { BenchCase } from './case.ts'
import { median } from './figures.ts'
import { cpuTotalOf, type Sample } from './measure.ts'
import type { TargetResult } from './targets.ts'

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
    const others = (baseline && samples.get(baseline)) || []
    const ratioIs = latency ? 'p50' : 'rate'
    const ratio = (of: (sample: Sample) => number): number | undefined =>
      others.length > 0 ? median(own.map((sample, round) => of(sample) / of(others[round] as Sample))) : undefined
    const processes = Object.keys(own[0]?.cpu ?? {})
    const background = own.at(-1)?.background
    return {
      name,
      ...(background && { background }),
      rate: median(own.map(({ rate }) => rate)),
      p50: median(own.map(({ p50 }) => p50)),
      p95: median(own.map(({ p95 }) => p95)),
      p99: median(own.map(({ p99 }) => p99)),
      cpu: Object.fromEntries(processes.map((process) => [process, median(own.map(({ cpu }) => cpu[process] ?? 0))])),
      cpuTotal: median(own.map(cpuTotalOf)),
      baseline,
      ratioIs,
      ratio: ratio((sample) => sample[ratioIs]),
      cpuRatio: ratio(cpuTotalOf),
    }
  })
}

/** Prints the table. */
export function printTable(rows: ReportRow[]): void {
  console.log(line('', 'req/s', 'p50 ms', 'p99 ms', 'CPU s/1000', 'ratio', 'CPU ratio', 'to'))
  for (const { name, rate, p50, p99, cpu, cpuTotal, ratio, ratioIs, cpuRatio, baseline = '', background } of rows) {
    const ratios = [ratio, cpuRatio].map((each) => each?.toFixed(2) ?? '')
    const to = baseline && `${baseline}${ratioIs === 'p50' ? ' (p50)' : ''}`
    console.log(line(name, rate.toFixed(0), p50.toFixed(2), p99.toFixed(2), cpuTotal.toFixed(3), ...ratios, to))
    const parts = Object.entries(cpu).map(([process, seconds]) => `${process} ${seconds.toFixed(3)}`)
    if (parts.length > 1) console.log(`    ${parts.join(', ')}`)
    if (background) {
      const { during, afterwards, seconds } = background
      console.log(`    in the background ${during} during the load, ${afterwards} in ${seconds.toFixed(1)} s after it`)
    }
  }
}

/** Prints the memory of each process, largest first. */
export function printMemory(memory: Record<string, MemoryUse>): void {
  console.log('\nmemory in MiB: resident at the end, proportional share of that, peak')
  const sorted = Object.entries(memory).sort(([, a], [, b]) => b.now - a.now)
  for (const [name, { now, peak, share }] of sorted)
    console.log(line(name, ...[now, share, peak].map((mebibytes) => mebibytes.toFixed(0)), ''))
}

/** Prints the targets and their results. */
export function printResults(results: TargetResult[]): void {
  console.log(`\n${line('target', 'measured', 'bound', '')}`)
  for (const { target, measured, bound, sense, unit, isMet } of results) {
    const figure = (value: number): string => `${value.toFixed(unit === 'MiB' ? 0 : 2)} ${unit}`
    console.log(line(target, figure(measured), `${sense} ${figure(bound)}`, isMet ? 'met' : 'MISSED'))
  }
}

function line(name: string, ...cells: string[]): string {
  const to = cells.pop() ?? ''
  return `${name.padEnd(34)}${cells.map((cell) => cell.padStart(12)).join('')}  ${to}`.trimEnd()
}
