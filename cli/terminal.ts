import type { Readable, Writable } from 'node:stream'
import { escapeControls } from '@gatehouse/proto/process/control-characters.ts'

/** The surroundings of a command. */
export interface Terminal {
  /** Settings. */
  readonly env: NodeJS.ProcessEnv
  /** What is piped in. */
  readonly in: Readable
  /** Results. */
  readonly out: Writable
  /** Progress and remarks. */
  readonly err: Writable
  /** Aborted by Ctrl-C or SIGTERM: finish what is in flight and stop. */
  readonly stop: AbortSignal
  /** What the command sets it to; 0 if nothing. */
  exitCode?: number
}

/** The exit code of a command stopped by Ctrl-C, as in shells. */
export const STOPPED = 130

/** The terminal of this process. */
export class ProcessTerminal implements Terminal {
  readonly env = process.env
  readonly out = process.stdout
  readonly err = process.stderr
  exitCode?: number
  #stop: AbortSignal | undefined

  get in(): Readable {
    return process.stdin
  }

  /** Ctrl-C, or SIGTERM, ends the process until a command asks for this, and after the first one again. */
  get stop(): AbortSignal {
    if (this.#stop) return this.#stop
    const controller = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
    this.#stop = controller.signal
    return this.#stop
  }
}

/** Runs a command that stops in order by Ctrl-C, already while it connects. Its result is the exit code. */
export async function stoppable(terminal: Terminal, run: () => Promise<number>): Promise<void> {
  terminal.exitCode = terminal.stop.aborted ? STOPPED : await run()
}

/** Whether a stream is a terminal that supports drawing. */
export function isScreen(stream: Writable): boolean {
  return (stream as Writable & { isTTY?: boolean }).isTTY === true
}

/** Writes a line, or several. Control characters of names and other texts are escaped. */
export function say(stream: Writable, line: string): void {
  draw(stream, escapeControls(line))
}

/** Writes lines of our own with the sequences in them that move a terminal's cursor or colour it. */
export function draw(stream: Writable, lines: string): void {
  stream.write(`${lines}\n`)
}

/** `1 guest`, `2 guests`, `2,000 guests`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? singular : plural}`
}
