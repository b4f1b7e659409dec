import { availableParallelism } from 'node:os'
import type { Environment } from '@gatehouse/bench/environment.ts'
import { type Costs, KINDS, type Kind } from './costs.ts'
import { byKind, type MeasuredScans, measureAt } from './running.ts'
import { type Layout, simulate } from './simulation.ts'

/* `npm run scale -- --check`: predicts what check-ins at three rates use, and measures it. */

/** Shares of the rate that 64 connections reach. */
const LOADS = [0.25, 0.5, 0.75]
const SECONDS = 8
/** Predicted and measured differ by at most this share. */
const BOUND = 0.2
/** The local stack: one of each. */
const ONE_EACH = Object.fromEntries(KINDS.map((kind) => [kind, 1])) as Layout

/** A load, predicted and measured. */
export interface Compared {
  rate: number
  /** Processors in use, the load generator's included. */
  predicted: number
  measured: number
  predictedP50: number
  measuredP50: number
}

/** Predicts and measures three loads of this system, by the costs that were measured in it. */
export async function compare(
  environment: Environment,
  scans: MeasuredScans,
  say: (line: string) => void,
): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const load of LOADS) {
    const rate = Math.round(load * scans.crowded.rate)
    const predicted = predict(rate, scans)
    say(`measuring ${rate} check-ins a second`)
    const { cpu, p50, rate: reached } = await measureAt(rate, environment, SECONDS)
    const used = Object.values(byKind(cpu)).reduce((sum, each) => sum + each, 0)
    compared.push({
      rate,
      predicted: predicted.cores,
      measured: (used * reached) / 1_000,
      predictedP50: predicted.p50,
      measuredP50: p50,
    })
  }
  return compared
}

/** The load generator works on the same processors: it counts as a part of the gateway. */
function predict(
  rate: number,
  { idle, costs: { load, ...scan }, waitMs }: MeasuredScans,
): { cores: number; p50: number } {
  const { gateway = { turn: 0, each: 0 } } = scan
  const withLoad = { turn: gateway.turn + (load?.turn ?? 0), each: gateway.each + (load?.each ?? 0) }
  const none = { lookup: {}, page: {}, mail: {}, webhook: {}, feed: {} }
  // Processes that no check-in passes through are not measured.
  const own = Object.fromEntries(Object.entries(idle).filter(([kind]) => kind in scan))
  const costs = { operations: { ...none, scan: { ...scan, gateway: withLoad } }, idle: own } as unknown as Costs
  const rates = { scan: rate, first: 0, page: 0, mail: 0, webhook: 0, feed: 0 }
  const result = simulate({
    layout: ONE_EACH,
    rates,
    seconds: SECONDS,
    seed: 1,
    costs,
    burst: 0,
    diskMs: waitMs,
    sharedCores: availableParallelism(),
  })
  const cores = KINDS.reduce((sum, kind: Kind) => sum + result.cores[kind], 0)
  return { cores, p50: result.p50 }
}

/** How far a prediction is off, as a share of what was measured. */
export function errorOf({ predicted, measured }: Pick<Compared, 'predicted' | 'measured'>): number {
  return predicted / measured - 1
}

/** The comparison in lines. */
export function comparisonOf(compared: Compared[]): string[] {
  return compared.map((each) => {
    const { rate, predicted, measured, predictedP50, measuredP50 } = each
    const error = `${(100 * errorOf(each)).toFixed(0)} %`
    return `${rate} check-ins a second: ${predicted.toFixed(2)} processors predicted, ${measured.toFixed(2)} measured (${error}${isOff(each) ? ', MISSED' : ''}); p50 ${predictedP50.toFixed(1)} ms predicted, ${measuredP50.toFixed(1)} ms measured`
  })
}

/** Whether a prediction is too far off. */
export function isOff(compared: Pick<Compared, 'predicted' | 'measured'>): boolean {
  return Math.abs(errorOf(compared)) > BOUND
}
