import type { Log } from '../process/log.ts'
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
 * Turns on what of telemetry the settings ask for: before the process starts, since what it opens then is observed. `check` throws while the
 * process cannot do its work.
 */
export async function startTelemetry(
  name: string,
  config: TelemetryConfig,
  check: () => Promise<void>,
  log: Log,
): Promise<Telemetry> {
  const { traces, metrics } = signalsOf(config)
  const hasPort = config.operations_port !== null
  const stopping: (() => Promise<void>)[] = []
  if (traces || metrics || hasPort) {
    // Nothing of OpenTelemetry is loaded where it is off. `@opentelemetry/sdk-node` would take 97 ms and 47 MiB, these packages 52 ms and 26 MiB.
    const [{ reportTo }, { resourceOf }] = await Promise.all([import('./sdk/errors.ts'), import('./sdk/resource.ts')])
    reportTo(log)
    const resource = resourceOf(name)
    if (traces) {
      const { startTraces } = await import('./sdk/traces.ts')
      stopping.push(await startTraces(config, resource))
    }
    if (metrics || hasPort) {
      const { startMetrics } = await import('./sdk/metrics.ts')
      const measured = await startMetrics(config, resource)
      stopping.push(measured.stop)
      if (hasPort) {
        const { operations_host: host, operations_port: port } = config
        const operations = await openOperations({ host, port: Number(port), metrics: measured.text, check })
        log.info({ url: operations.url }, 'operations port is open')
        stopping.push(operations.stop)
      }
    }
    const { observeRedis } = await import('./stores.ts')
    observeRedis()
  }
  return {
    stop: async () => {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, STOP_WITHIN_MS)
      await Promise.race([Promise.allSettled(stopping.map((stop) => stop())), late.promise])
      clearTimeout(timer)
    },
  }
}
