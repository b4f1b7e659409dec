import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

/** How often the log repeats what a process waits for. */
const REPEAT_MS = 30_000
const PAUSE_MS = 200

interface StoreAttempt<T> {
  /** The name of the store in the log. */
  store: string
  log: Log
  connect: () => Promise<T>
  /** Returns why another attempt would end the same, in one sentence without credentials; undefined if it might not. */
  hopelessness: (error: Error) => string | undefined
  /** For how long to try; then `away` is thrown. Without it for ever. */
  limit?: { ms: number; away: string }
}

/**
 * Connects to a store, again and again while it does not answer: a process that waits serves as soon as the store is back, while one that ends is
 * started again at growing intervals. Throws one sentence if another attempt would end the same.
 */
export async function untilConnected<T>({ store, log, connect, hopelessness, limit }: StoreAttempt<T>): Promise<T> {
  const begun = performance.now()
  const says = onceInAWhile(REPEAT_MS)
  for (;;) {
    try {
      const connected = await connect()
      if (says.count > 0) log.info({ store }, 'the store is responding')
      return connected
    } catch (error) {
      const reason = hopelessness(error as Error)
      if (reason) throw new Error(reason, { cause: error })
      const waited = performance.now() - begun
      if (limit && waited > limit.ms) throw new Error(limit.away, { cause: error })
      const { message } = error as Error
      if (says.now()) log.warn({ store, reason: message, seconds: Math.round(waited / 1_000) }, 'waiting for a store')
    }
    await sleep(PAUSE_MS)
  }
}

/** Says yes the first time it is asked, and then once in so many ms. */
export function onceInAWhile(everyMs: number): { now(): boolean; readonly count: number } {
  let count = 0
  let next = 0
  return {
    now: () => {
      if (performance.now() < next) return false
      count++
      next = performance.now() + everyMs
      return true
    },
    get count() {
      return count
    },
  }
}

/** Says in one sentence that certificate an error is about; undefined if it is about none. `setting` has the address. */
export function certificateProblem(setting: string, error: Error): string | undefined {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const code = String((each as { code?: unknown }).code)
    if (/^(ERR_TLS_CERT|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))_/.test(code))
      return `${setting}: the certificate of the server is not accepted (${code}); NODE_EXTRA_CA_CERTS names the authority to trust`
  }
  return undefined
}
