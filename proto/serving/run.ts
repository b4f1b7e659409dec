import type { TProperties } from 'typebox'
import { type ConfigOf, ConfigurationError, MISUSED, readConfig } from '../process/config.ts'
import { escapeControls } from '../process/control-characters.ts'
import { collectGarbage } from '../process/garbage.ts'
import { makeLog } from '../process/log.ts'
import { type TelemetryConfig, telemetrySettings } from './telemetry/settings.ts'
import { startTelemetry, type Telemetry } from './telemetry/start.ts'

/** A running service or gateway. `stop` takes no more requests, answers those in work, then closes. */
export interface Running {
  stop(): Promise<void>
  /** Throws while it cannot do its work. */
  check?(): Promise<void>
}

/** Handles `--help`, which names the settings, and refuses all other arguments: settings come from the environment. */
async function explainSettings(name: string, settings: TProperties): Promise<void> {
  const { Command, runCommand } = await import('../process/command.ts')
  const variables = Object.keys(settings).map((setting) => setting.toUpperCase())
  const description = `The ${name} process of Gatehouse. Its settings are environment variables: ${variables.join(', ')}`
  await runCommand(new Command(`node ${process.argv[1]}`).description(description))
}

/**
 * Runs a process: reads its configuration, starts it, and stops it in order on SIGTERM or SIGINT. A failed start prints its reason in one line
 * and ends with code 1, or 2 if the configuration is wrong.
 */
export async function run<T extends TProperties>(
  name: string,
  ownSettings: T,
  start: (config: ConfigOf<T>) => Promise<Running>,
): Promise<void> {
  const settings = { ...ownSettings, ...telemetrySettings }
  // Commander is loaded only if there are arguments.
  if (process.argv.length > 2) await explainSettings(name, settings)
  let telemetry: Telemetry | undefined
  let running: Running | undefined
  const end = async (): Promise<void> => {
    await running?.stop()
    await telemetry?.stop()
  }
  const check = async (): Promise<void> => {
    if (!running) throw new Error(`${name} is still starting`)
    await running.check?.()
  }
  // A process that is still starting has no requests to answer and ends at once.
  const stop = (): void => {
    end().then(
      () => process.exit(0),
      (error) => fail(name, error),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  try {
    const config = readConfig(settings) as ConfigOf<T> & TelemetryConfig & { log_level: string }
    telemetry = await startTelemetry(name, config, check, makeLog(name, config.log_level))
    running = await start(config)
    collectGarbage()
  } catch (error) {
    fail(name, error)
  }
}

function fail(name: string, error: unknown): never {
  process.stderr.write(`${name}: ${escapeControls(error instanceof Error ? error.message : String(error))}\n`)
  process.exit(error instanceof ConfigurationError ? MISUSED : 1)
}
