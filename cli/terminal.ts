import type { Writable } from 'node:stream'
import { escapeControls } from '@gatehouse/proto/process/control-characters.ts'

/** The output streams of a command, and its stop signal. */
export interface Terminal {
  /** Results. */
  out: Writable
  /** Progress and remarks. */
  err: Writable
  /** Aborted by Ctrl-C: finish what is in flight and stop. */
  stop: AbortSignal
}

/** The exit code of a command stopped by Ctrl-C, as in shells. */
export const STOPPED = 130

/**
 * Runs a command on the terminal of this process, and sets its exit code to the result. The first Ctrl-C asks it to stop; a second one ends the
 * process at once.
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

/** Whether a stream is a terminal that supports drawing. */
export function isScreen(stream: Writable): boolean {
  return (stream as Writable & { isTTY?: boolean }).isTTY === true
}

/** Writes a line, or several. Control characters of names and other texts are escaped. */
export function say(stream: Writable, line: string): void {
  draw(stream, escapeControls(line))
}

/** Writes lines of our own with the sequences in them which move a terminal's cursor or colour it. */
export function draw(stream: Writable, lines: string): void {
  stream.write(`${lines}\n`)
}

/** `1 guest`, `2 guests`, `2,000 guests`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? singular : plural}`
}
