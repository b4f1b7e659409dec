import type { Writable } from 'node:stream'

/** Where a command writes, and how it hears that it should stop. */
export interface Terminal {
  /** Results. */
  out: Writable
  /** Progress and remarks. */
  err: Writable
  /** Aborted by Ctrl-C: finish what is in flight and stop. */
  stop: AbortSignal
}

/** The exit code of a command that was stopped by Ctrl-C, as shells expect it. */
export const STOPPED = 130

/**
 * Runs a command on this process's own terminal. The first Ctrl-C asks it to stop; a second one ends the process at once.
 * The exit code becomes what the command gives.
 */
export async function onTerminal(run: (terminal: Terminal) => Promise<number>): Promise<void> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  process.once('SIGINT', stop)
  try {
    process.exitCode = await run({ out: process.stdout, err: process.stderr, stop: controller.signal })
  } finally {
    process.off('SIGINT', stop)
  }
}

/** Whether a stream is a screen that can be drawn on. */
export function isScreen(stream: Writable): boolean {
  return (stream as Writable & { isTTY?: boolean }).isTTY === true
}

/** Writes one line. */
export function say(stream: Writable, line: string): void {
  stream.write(`${line}\n`)
}

/** `1 guest`, `2 guests`, `2,000 guests`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? singular : plural}`
}
