/** How often a phase says what it waits for. */
const PROGRESS_MS = 10_000

/** What a drill waits for did not come: the message says what, and for how long it was waited. */
export class Unfinished extends Error {
  override name = 'Unfinished'
}

/** A phase of a drill, for what goes on in it. */
export interface Phase {
  /** Aborted at the deadline of the phase, and by an interruption: whoever waits for something gives up then. */
  signal: AbortSignal
  /** Says what is waited for from now on. */
  waitFor(what: string | (() => string)): void
}

/** Where a phase tells how far it is, and what ends it early. */
interface Setting {
  say: (line: string) => void
  interrupted?: AbortSignal | undefined
}

/**
 * Does `work`, and says every ten seconds what it waits for. Throws {@link Unfinished} at the deadline, and the reason of an interruption at
 * once, whatever the work does: nothing that hangs in it holds the drill up.
 */
export async function inPhase<T>(
  name: string,
  deadlineMs: number,
  { say, interrupted }: Setting,
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
