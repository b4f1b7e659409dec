const PROGRESS_MS = 10_000

/** A phase did not end; the message says what it waited for, and for how long. */
export class Unfinished extends Error {
  override name = 'Unfinished'
}

/** A phase of a drill, for the work in it. */
export interface Phase {
  /** Aborted at the deadline of the phase and by an interruption. */
  signal: AbortSignal
  /** Sets what the phase waits for from now on. */
  waitFor(what: string | (() => string)): void
}

interface PhaseOptions {
  say: (line: string) => void
  interrupted?: AbortSignal | undefined
}

/**
 * Does `work`, and reports every ten seconds what it waits for. Throws {@link Unfinished} at the deadline, and the reason of an interruption at
 * once, even if the work hangs.
 */
export async function inPhase<T>(
  name: string,
  deadlineMs: number,
  { say, interrupted }: PhaseOptions,
  work: (phase: Phase) => Promise<T>,
): Promise<T> {
  const begun = performance.now()
  let waiting: string | (() => string) = 'its beginning'
  const state = (): string => {
    const seconds = Math.round((performance.now() - begun) / 1_000)
    return `waiting for ${typeof waiting === 'string' ? waiting : waiting()}, ${seconds} s after its beginning`
  }
  const late = new AbortController()
  const deadline = setTimeout(() => late.abort(new Unfinished(`${name} timed out ${state()}`)), deadlineMs)
  const progress = setInterval(() => say(`         ${name}: ${state()}`), PROGRESS_MS)
  const signal = interrupted ? AbortSignal.any([interrupted, late.signal]) : late.signal
  const given = Promise.withResolvers<never>()
  const giveUp = (): void => given.reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    signal.throwIfAborted()
    const working = work({
      signal,
      waitFor: (what) => {
        waiting = what
      },
    })
    return await Promise.race([working, given.promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
    clearTimeout(deadline)
    clearInterval(progress)
  }
}
