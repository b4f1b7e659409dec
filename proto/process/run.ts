import { readConfig } from './config.ts'

/** What runs until it is stopped: `stop` takes no more requests, answers those in work, then closes. */
export interface Running {
  stop(): Promise<void>
}

/** Services and gateway take their settings from the environment: whoever gives one of these arguments hears which. */
async function explainSettings(name: string, settings: Parameters<typeof readConfig>[0]): Promise<void> {
  const { Command, runCommand } = await import('./command.ts')
  const variables = Object.keys(settings).map((setting) => setting.toUpperCase())
  const description = `The ${name} process of Gatehouse. Its settings are environment variables: ${variables.join(', ')}`
  await runCommand(new Command(`node ${process.argv[1]}`).description(description))
}

/**
 * The life of a process: reads its configuration, starts it, and stops it in order on SIGTERM or SIGINT. A start that
 * fails says why in one line and ends with code 1.
 */
export async function run<C>(
  name: string,
  settings: Parameters<typeof readConfig>[0],
  start: (config: C) => Promise<Running>,
): Promise<void> {
  // Without arguments nothing need be loaded that reads them.
  if (process.argv.length > 2) await explainSettings(name, settings)
  let running: Running | undefined
  // Set before anybody can find out that it runs: what is still starting has nothing to answer and ends at once.
  const stop = (): void => {
    Promise.resolve(running?.stop()).then(
      () => process.exit(0),
      (error) => fail(name, error),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  try {
    running = await start(readConfig(settings) as C)
  } catch (error) {
    fail(name, error)
  }
}

function fail(name: string, error: unknown): never {
  process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
