import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { inject } from 'vitest'
import type { ServiceName } from '../../services/services.ts'
import { storeUrlsOf } from './nats-urls.ts'
import { startGatewayReplica, startReplica, startReplicaProcess } from './replica.ts'
import { retried } from './retried.ts'
import type { Answer, System } from './system.ts'
import { proxyTo, type TcpProxy } from './tcp-proxy.ts'
import type { TestEvent } from './test-event.ts'

const RESTART_MS = 10

/** A process of a service that a test can kill after its store has done something and before the process gets the answer. */
export interface KillableProcess {
  /** Resolves when the process serves, or the one that was started in its place. */
  serving(): Promise<unknown>
  /**
   * Kills the process (SIGKILL) at the nth answer of the store from now on: the store has acted, but the process never sees the answer. A new
   * process is started at once. The returned function cancels the kill, and returns whether it has happened.
   */
  killAtAnswer(nth: number): Promise<() => boolean>
  /** Resolves when it is killed the next time; at once while it does not serve again. */
  killed(): Promise<void>
  /** Sends a request of the organizer, and repeats it with the same idempotency key while it is 503 or 409 (`retried`). */
  retry(testEvent: TestEvent, method: string, path: string, body?: object): Promise<Answer>
  stop(): Promise<void>
}

type Place = Pick<System, 'namespace' | 'url'>

/** A process until it is killed. */
interface Mortal {
  kill(): void
  /** What its store, or whoever else it is killed at, answers. */
  watch: TcpProxy['watch']
  stop(): Promise<void>
}

/** Starts another process of a service of a system, to be killed. `settings` overrides the usual ones. */
export async function startKillable(
  service: ServiceName,
  system: Place,
  settings: object = {},
): Promise<KillableProcess> {
  const proxy = await proxyTo(inject('mongodbUrl'))
  const store = new URL(inject('mongodbUrl'))
  store.host = proxy.host
  const killable = await killedAt(async () => {
    proxy.watch(() => true)
    const { pid, stop } = await startReplicaProcess(service, system, { mongodb_url: store.href, ...settings })
    return { kill: () => process.kill(pid, 'SIGKILL'), watch: proxy.watch, stop }
  })
  return { ...killable, stop: () => killable.stop().finally(proxy.close) }
}

/**
 * Starts a service of a system in this process, which costs a tenth of a process of its own. In place of being killed it loses its connections for
 * good: whatever it does afterwards reaches nobody, and what it was about to send is lost.
 */
export async function startKillableReplica(
  service: ServiceName,
  system: Place,
  settings: object = {},
): Promise<KillableProcess> {
  const graves = new Graves()
  const killable = await killedAt(async () => {
    const { cut, proxies } = await severable(service)
    const running = await startReplica(service, system, { ...urlsOf(proxies), ...settings })
    const { mongodb_url: store } = proxies
    if (!store) throw new Error(`${service} has no store`)
    return {
      kill: () => {
        cut()
        graves.bury(running, proxies)
      },
      watch: store.watch,
      stop: () => closed(running, proxies),
    }
  })
  return { ...killable, stop: () => killable.stop().finally(() => graves.close()) }
}

/** The same of a gateway, which is killed when it has answered and before `url`, which leads to it, has passed that on. */
export async function startKillableGateway(system: Place): Promise<KillableProcess & { url: string }> {
  const graves = new Graves()
  const front = await proxyTo('http://127.0.0.1')
  const killable = await killedAt(async () => {
    const { cut, proxies } = await severable('gateway')
    const running = await startGatewayReplica(system, urlsOf(proxies))
    front.leadTo(running.url)
    front.watch(() => true)
    front.mend()
    return {
      kill: () => {
        front.cut()
        cut()
        graves.bury(running, proxies)
      },
      watch: front.watch,
      stop: () => closed(running, proxies),
    }
  })
  const stop = () => killable.stop().finally(() => Promise.all([front.close(), graves.close()]))
  return { ...killable, url: front.url, stop: async () => void (await stop()) }
}

type Proxies = Partial<Record<keyof ReturnType<typeof storeUrlsOf>, TcpProxy>>

/** The way to each store of a service, and what cuts all of them for good. */
async function severable(name: string): Promise<{ proxies: Proxies; cut(): void }> {
  const entries = Object.entries(storeUrlsOf(name)).map(async ([setting, url]) => [setting, await proxyTo(url)])
  const proxies = Object.fromEntries(await Promise.all(entries)) as Proxies
  return {
    proxies,
    cut: () => {
      for (const proxy of Object.values(proxies)) proxy.cut()
    },
  }
}

function urlsOf(proxies: Proxies): object {
  return Object.fromEntries(Object.entries(proxies).map(([setting, { url }]) => [setting, url]))
}

async function closed(running: Running, proxies: Proxies): Promise<void> {
  await running.stop().catch(() => {})
  await Promise.all(Object.values(proxies).map(({ close }) => close()))
}

/** Where those end that have lost their connections. Their ports stay taken until then: whoever listened there next would hear of them. */
class Graves {
  readonly #burials: Promise<void>[] = []

  bury(running: Running, proxies: Proxies): void {
    this.#burials.push(closed(running, proxies))
  }

  async close(): Promise<void> {
    await Promise.all(this.#burials)
  }
}

/** A process that is killed at what passes to it. */
async function killedAt(start: () => Promise<Mortal>): Promise<KillableProcess> {
  let serving = start()
  let death = Promise.withResolvers<void>()
  await serving
  return {
    serving: () => serving,
    killed: () => death.promise,
    killAtAnswer: async (nth) => {
      const { watch, kill } = await serving
      let left = nth
      let isKilled = false
      watch(() => {
        if (isKilled || --left > 0) return !isKilled
        isKilled = true
        kill()
        death.resolve()
        serving = sleep(RESTART_MS)
          .then(start)
          .finally(() => {
            death = Promise.withResolvers()
          })
        return false
      })
      return () => {
        if (!isKilled) watch(() => true)
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
    },
  }
}
