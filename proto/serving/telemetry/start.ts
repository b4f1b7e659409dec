import { setTimeout as sleep } from 'node:timers/promises'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import type { Log } from '../../process/log.ts'
import { turnOn } from '../../telemetry/metrics.ts'
import { observeRedis } from '../../telemetry/stores.ts'
import { openOperations } from './operations.ts'
import { signalsOf, type TelemetryConfig } from './settings.ts'

/** The telemetry of a process. */
export interface Telemetry {
  /** Sends what is left, for a short time, and closes the operations port. */
  stop(): Promise<void>
}

/** How long the end of a process waits until a collector has the rest. */
const STOP_WITHIN_MS = 2_000

/**
 * Turns on what of telemetry the settings ask for: before the process starts, since what it opens then is observed. Without any no SDK is loaded.
 * `check` throws while the process cannot do its work.
 */
export async function startTelemetry(
  name: string,
  config: TelemetryConfig,
  check: () => Promise<void>,
  log: Log,
): Promise<Telemetry> {
  const { traces, metrics } = signalsOf(config)
  const { operations_port: port, operations_host: host } = config
  const stopping: (() => Promise<void>)[] = []
  if (traces || metrics || port !== null) {
    diag.setLogger(warningsTo(log), DiagLogLevel.WARN)
    // `@opentelemetry/sdk-node` would bring gRPC and Zipkin too: 97 ms and 47 MiB, these packages 52 ms and 26 MiB.
    const { resourceOf } = await import('./sdk/resource.ts')
    const resource = resourceOf(name)
    if (traces) {
      const { registerTraces } = await import('./sdk/traces.ts')
      stopping.push(await registerTraces(config, resource))
    }
    if (metrics || port !== null) {
      const { registerMetrics } = await import('./sdk/metrics.ts')
      const { text, stop } = await registerMetrics(config, resource)
      stopping.push(stop)
      if (port !== null) {
        const operations = await openOperations({ host, port, metrics: text, check })
        stopping.push(operations.stop)
        log.info({ url: operations.url }, 'operations port is open')
      }
    }
    turnOn()
    observeRedis()
  }
  return {
    stop: async () => {
      const late = sleep(STOP_WITHIN_MS)
      await Promise.race([Promise.allSettled(stopping.map((stop) => stop())), late])
    },
  }
}

/** Equal warnings are logged once in this time: a collector that is away would fill the log. */
const REPEATED_AFTER_MS = 60_000
/** What a message says is cut here: the rest is a stack or what the collector answered. */
const LONGEST = 300

/** Writes what OpenTelemetry warns of to the log. */
function warningsTo(log: Log) {
  let last = { reason: '', until: 0 }
  const warn = (message: string): void => {
    const reason = message.slice(0, LONGEST)
    if (reason === last.reason && performance.now() < last.until) return
    last = { reason, until: performance.now() + REPEATED_AFTER_MS }
    log.warn({ reason }, 'telemetry')
  }
  const ignore = (): void => {}
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
}
