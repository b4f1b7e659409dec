import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import type { Process } from './process.ts'
import { startReplica } from './replica.ts'
import type { System } from './system.ts'
import { wireTo } from './wire.ts'

const RESTART_MS = 10

/** A process of a service that a test can have killed between what its store has done and what the process hears of it. */
export interface Mortal {
  /** Resolves when it serves, or the one that was started in its place does. */
  serving(): Promise<Process>
  /**
   * Has it be killed -9 when the store gives the nth answer from now on, which the store has acted upon and the process never sees. A new one
   * is started at once. The function that it gives says whether that has happened, and lets it live from now on.
   */
  killAtAnswer(nth: number): Promise<() => boolean>
  stop(): Promise<void>
}

/** Starts a further process of a service of a system, to be killed; `settings` are those unlike what every service is given. */
export async function startMortal(
  service: string,
  system: Pick<System, 'namespace' | 'url'>,
  settings: object = {},
): Promise<Mortal> {
  const wire = await wireTo(inject('mongodbUrl'))
  const store = new URL(inject('mongodbUrl'))
  store.host = wire.host
  const start = (): Promise<Process> => startReplica(service, system, { mongodb_url: store.href, ...settings })
  let serving = start()
  await serving
  return {
    serving: () => serving,
    killAtAnswer: async (nth) => {
      const { pid } = await serving
      let left = nth
      let isKilled = false
      wire.watch(() => {
        if (isKilled || --left > 0) return !isKilled
        isKilled = true
        process.kill(pid, 'SIGKILL')
        serving = sleep(RESTART_MS).then(() => {
          wire.watch(() => true)
          return start()
        })
        return false
      })
      return () => {
        if (!isKilled) wire.watch(() => true)
        return isKilled
      }
    },
    stop: async () => {
      await (await serving).stop().catch(() => {})
      await wire.close()
    },
  }
}
