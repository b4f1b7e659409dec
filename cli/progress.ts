import type { Writable } from 'node:stream'
import { SingleBar } from 'cli-progress'
import { isScreen, say } from './terminal.ts'

/** Shows progress. */
export interface ProgressDisplay {
  /** `done` of the total are done. */
  at(done: number): void
  end(): void
}

const LINE_EVERY_MS = 2_000

/** A bar on a screen, otherwise a line every two seconds. `what` is the unit: `rows`. */
export function showProgress(stream: Writable, what: string, total: number): ProgressDisplay {
  return isScreen(stream) ? bar(stream, what, total) : lines(stream, what, total)
}

function bar(stream: Writable, what: string, total: number): ProgressDisplay {
  const single = new SingleBar({
    stream: stream as NodeJS.WritableStream,
    format: `{bar} {percentage}%  {value} of {total} ${what}  {eta_formatted} left`,
    // An estimate from the last few rows fluctuates.
    etaBuffer: 500,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    // The command itself handles Ctrl-C.
    gracefulExit: false,
  })
  single.start(total, 0)
  return {
    at: (done) => {
      if (done > 0) single.update(done)
    },
    end: () => single.stop(),
  }
}

function lines(stream: Writable, what: string, total: number): ProgressDisplay {
  let next = performance.now() + LINE_EVERY_MS
  return {
    at: (done) => {
      if (performance.now() < next) return
      next = performance.now() + LINE_EVERY_MS
      say(stream, `${done} of ${total} ${what}`)
    },
    end: () => {},
  }
}
