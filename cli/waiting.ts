import { count } from './terminal.ts'

const FIRST_MS = 5_000
const AGAIN_MS = 60_000

/** Says that a command waits, and for how long so far: after five seconds, and then each minute. Returns what ends it. */
export function sayWhileWaiting(say: (waited: string) => void): () => void {
  const begun = performance.now()
  const now = (): void => say(timeOf(performance.now() - begun))
  let again: NodeJS.Timeout | undefined
  const first = setTimeout(() => {
    now()
    again = setInterval(now, AGAIN_MS)
  }, FIRST_MS)
  return () => {
    clearTimeout(first)
    clearInterval(again)
  }
}

/** `5 seconds`, `2 minutes`. */
export function timeOf(ms: number): string {
  return ms < 60_000 ? count(Math.round(ms / 1_000), 'second') : count(Math.round(ms / 60_000), 'minute')
}
