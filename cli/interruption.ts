/** How often it is looked whether npm is still there. */
const PARENT_POLL_MS = 500

/**
 * Resolves when what runs in the foreground is to end: by a signal, or because npm is gone, which started this process and did not pass on what
 * ended it. Later signals mean the same: npm passes on the Ctrl-C that the terminal has sent to both.
 */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve())
    // Writes to a closed terminal fail; ignore them.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
    const parent = process.ppid
    if (process.env.npm_command) setInterval(() => process.ppid !== parent && resolve(), PARENT_POLL_MS).unref()
  })
}
