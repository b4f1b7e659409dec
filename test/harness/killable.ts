import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import type { Process } from './process.ts'
import { startReplica } from './replica.ts'
import type { Answer, System } from './system.ts'
import { proxyTo } from './tcp-proxy.ts'
import type { TestEvent } from './test-event.ts'

const RESTART_MS = 10
/** Nobody knows yet, or the first try is still at it. */
const PASSING = [503, 409]
const MAX_TRIES = 40
const RETRY_MS = 50

/** A process of a service that a test can have killed between what its store has done and what the process hears of it. */
export interface KillableProcess {
  /** Resolves when it serves, or the one that was started in its place does. */
  serving(): Promise<Process>
  /**
   * Has it be killed -9 when the store gives the nth answer from now on, which the store has acted upon and the process never sees. A new one
   * is started at once. The function that it gives says whether that has happened, and lets it live from now on.
   */
  killAtAnswer(nth: number): Promise<() => boolean>
  /** Asks the organizer's interface until it is done, as the same request; gives up after 40 tries, with the last answer. */
  retry(testEvent: TestEvent, method: string, path: string, body?: object): Promise<Answer>
  stop(): Promise<void>
}

/** Starts a further process of a service of a system, to be killed; `settings` are those unlike what every service is given. */
export async function startKillable(
  service: string,
  system: Pick<System, 'namespace' | 'url'>,
  settings: object = {},
): Promise<KillableProcess> {
  const proxy = await proxyTo(inject('mongodbUrl'))
  const store = new URL(inject('mongodbUrl'))
  store.host = proxy.host
  const start = (): Promise<Process> => startReplica(service, system, { mongodb_url: store.href, ...settings })
  let serving = start()
  await serving
  return {
    serving: () => serving,
    killAtAnswer: async (nth) => {
      const { pid } = await serving
      let left = nth
      let isKilled = false
      proxy.watch(() => {
        if (isKilled || --left > 0) return !isKilled
        isKilled = true
        process.kill(pid, 'SIGKILL')
        serving = sleep(RESTART_MS).then(() => {
          proxy.watch(() => true)
          return start()
        })
        return false
      })
      return () => {
        if (!isKilled) proxy.watch(() => true)
        return isKilled
      }
    },
    retry: async (testEvent, method, path, body) => {
      const headers = { 'idempotency-key': crypto.randomUUID() }
      for (let tries = 0; ; tries++) {
        const answer = await testEvent.api(method, path, body, { headers })
        if (!PASSING.includes(answer.status) || tries === MAX_TRIES) return answer
        await serving
        await sleep(RETRY_MS)
      }
    },
    stop: async () => {
      await (await serving).stop().catch(() => {})
      await proxy.close()
    },
  }
}
