import { availableParallelism } from 'node:os'
import type { Sample } from '@gatehouse/bench/measure.ts'
import { type Cost, type Costs, KINDS, type Kind } from './costs.ts'
import { type Layout, simulate } from './simulation.ts'

/* What cannot be measured alone is fitted: with it the simulation uses and takes what a steady load did. */

/** CPU milliseconds of a request, by kind; `load` is the load generator. */
export type Use = Partial<Record<Kind | 'load', number>>

/** What a system of one process each does with check-ins, as the simulation needs it. */
export interface ScanModel {
  /** Processors in use while nothing is asked. */
  idle: Use
  costs: Partial<Record<Kind | 'load', Cost>>
  /** Milliseconds of a write in which no processor works. */
  waitMs: number
}

/** What check-ins at a rate use and how long they take. */
export interface Prediction {
  /** Processors in use, the load generator's included. */
  cores: number
  p50: number
}

/** The local stack: one of each. */
const ONE_EACH = Object.fromEntries(KINDS.map((kind) => [kind, 1])) as Layout
const NONE = { lookup: {}, page: {}, mail: {}, webhook: {}, feed: {} }
const SECONDS = 8
/** Waits that are tried, in milliseconds, and halvings of the range of shares. */
const WAITS = Array.from({ length: 13 }, (_, n) => n / 4)
const HALVINGS = 10

/** Predicts check-ins at a rate. The load generator works on the same processors: it counts as a part of the gateway. */
export function predict(rate: number, { idle, costs: { load, ...scan }, waitMs }: ScanModel): Prediction {
  const { gateway = { turn: 0, each: 0 } } = scan
  const withLoad = { turn: gateway.turn + (load?.turn ?? 0), each: gateway.each + (load?.each ?? 0) }
  // Processes that no check-in passes through are not measured.
  const own = Object.fromEntries(Object.entries(idle).filter(([kind]) => kind in scan))
  const costs = { operations: { ...NONE, scan: { ...scan, gateway: withLoad } }, idle: own } as unknown as Costs
  const result = simulate({
    layout: ONE_EACH,
    rates: { scan: rate, first: 0, page: 0, mail: 0, webhook: 0, feed: 0 },
    seconds: SECONDS,
    seed: 1,
    costs,
    burst: 0,
    diskMs: waitMs,
    sharedCores: availableParallelism(),
  })
  return { cores: KINDS.reduce((sum, kind) => sum + result.cores[kind], 0), p50: result.p50 }
}

/** Processors in use during a sample, the load generator's included. */
export function coresOf(use: Use, rate: number): number {
  return (Object.values(use).reduce((sum, each) => sum + each, 0) * rate) / 1_000
}

/**
 * Fits two figures to a steady load: the share of a turn's cost that is left where processes hardly rest, since a check-in alone wakes each of them
 * and finds its caches cold, and the wait of a write.
 */
export function fit(
  model: Pick<ScanModel, 'idle' | 'costs'>,
  { rate, p50 }: Pick<Sample, 'rate' | 'p50'>,
  cores: number,
): { share: number; waitMs: number } {
  const fits = WAITS.map((waitMs) => {
    let [least, most] = [0, 1]
    for (let n = 0; n < HALVINGS; n++) {
      const share = (least + most) / 2
      if (predict(rate, { ...model, costs: withShare(model.costs, share), waitMs }).cores > cores) most = share
      else least = share
    }
    const share = (least + most) / 2
    const predicted = predict(rate, { ...model, costs: withShare(model.costs, share), waitMs })
    return { share, waitMs, error: Math.abs(predicted.p50 / p50 - 1) + Math.abs(predicted.cores / cores - 1) }
  })
  return fits.reduce((best, each) => (each.error < best.error ? each : best))
}

/** Costs of which this share of each turn's is left. */
export function withShare<T extends Partial<Record<string, Cost>>>(costs: T, share: number): T {
  return Object.fromEntries(
    Object.entries(costs).map(([kind, cost]) => [kind, cost && { turn: share * cost.turn, each: cost.each }]),
  ) as T
}
