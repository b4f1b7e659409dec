/** How often to check whether npm still runs. */
const PARENT_POLL_MS = 500

/**
 * Resolves with the reason when the foreground process must end: a signal, or the end of the npm that started it and did not pass its signal on. Later
 * signals are ignored: npm also passes on the Ctrl-C that the terminal has sent to both.
 */
export function untilInterrupted(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve)
    // Writes to a closed terminal fail; ignore them.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
    const parent = process.ppid
    if (process.env.npm_command)
      setInterval(() => process.ppid !== parent && resolve('npm has ended'), PARENT_POLL_MS).unref()
  })
}
