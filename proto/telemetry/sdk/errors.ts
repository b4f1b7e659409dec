import { DiagLogLevel, diag } from '@opentelemetry/api'
import type { Log } from '../../process/log.ts'

/** Equal warnings are logged once in this time: a collector that is away would fill the log. */
const REPEATED_AFTER_MS = 60_000
/** What a message says is cut here: the rest is a stack or what the collector answered. */
const LONGEST = 300

/** Writes what OpenTelemetry warns of to the log. */
export function reportTo(log: Log): void {
  const reported = new Map<string, number>()
  const warn = (message: string): void => {
    const reason = message.slice(0, LONGEST)
    if (performance.now() - (reported.get(reason) ?? Number.NEGATIVE_INFINITY) < REPEATED_AFTER_MS) return
    reported.clear()
    reported.set(reason, performance.now())
    log.warn({ reason }, 'telemetry')
  }
  const ignore = (): void => {}
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
}
