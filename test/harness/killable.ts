import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '@gatehouse/local/ports'
import { inject } from 'vitest'
import type { ServiceName } from '../../services/services.ts'
import type { Process } from './process.ts'
import { startReplicaProcess } from './replica.ts'
import { retried } from './retried.ts'
import type { Answer, System } from './system.ts'
import { proxyTo, type TcpProxy } from './tcp-proxy.ts'
import type { TestEvent } from './test-event.ts'

const RESTART_MS = 10

/** A process of a service that a test can kill after its store has done something and before the process gets the answer. */
export interface KillableProcess {
  /** Resolves when the process serves, or the one that was started in its place. */
  serving(): Promise<Process>
  /**
   * Kills the process (SIGKILL) at the nth answer of the store from now on: the store has acted, but the process never sees the answer. A new
   * process is started at once. The returned function cancels the kill, and returns whether it has happened.
   */
  killAtAnswer(nth: number): Promise<() => boolean>
  /** Sends a request of the organizer, and repeats it with the same idempotency key while it is 503 or 409 (`retried`). */
  retry(testEvent: TestEvent, method: string, path: string, body?: object): Promise<Answer>
  stop(): Promise<void>
}

/** Starts another process of a service of a system, to be killed. `settings` overrides the usual ones. */
export async function startKillable(
  service: ServiceName,
  system: Pick<System, 'namespace' | 'url'>,
  settings: object = {},
): Promise<KillableProcess> {
  const proxy = await proxyTo(inject('mongodbUrl'))
  const store = new URL(inject('mongodbUrl'))
  store.host = proxy.host
  return killedAt(proxy, () => startReplicaProcess(service, system, { mongodb_url: store.href, ...settings }))
}

/** Starts another gateway of a system, to be killed when it has answered and before `url`, which leads to it, has passed that on. */
export async function startKillableGateway(system: Pick<System, 'namespace' | 'url'>) {
  const port = await reservePort()
  const proxy = await proxyTo(`http://127.0.0.1:${port}`)
  const settings = { port, rate_limits: 'off', overload_refusals: 'off' }
  const killable = await killedAt(proxy, () => startReplicaProcess('gateway', system, settings))
  return { ...killable, url: proxy.url }
}

/** A process that is killed at what passes through a proxy. */
async function killedAt(proxy: TcpProxy, start: () => Promise<Process>): Promise<KillableProcess> {
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
      return retried(
        () => testEvent.api(method, path, body, { headers }),
        () => serving,
      )
    },
    stop: async () => {
      await (await serving).stop().catch(() => {})
      await proxy.close()
    },
  }
}
