import type { Environment } from '@gatehouse/bench/environment.ts'
import { coresOf, predict } from './fitting.ts'
import { byKind, type MeasuredScans, measureAt } from './running.ts'

/* `npm run scale -- --check`: predicts what check-ins at three rates use, and measures it. */

/** Shares of the rate that 64 connections reach. */
const LOADS = [0.25, 0.5, 0.75]
/** Predicted and measured differ by at most this share. */
const BOUND = 0.2

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
    const { cpu, p50, rate: reached } = await measureAt(rate, environment)
    compared.push({
      rate,
      predicted: predicted.cores,
      measured: coresOf(byKind(cpu), reached),
      predictedP50: predicted.p50,
      measuredP50: p50,
    })
  }
  return compared
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
