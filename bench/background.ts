import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchWorld } from './world.ts'

const POLL_MS = 50
/** Background work is postponed while the machine is busy, but not forever. */
const TIMEOUT_MS = 5 * 60_000
/** Far more often than devices do. */
const ASKED_EVERY_MS = 1_000
/** Services learn within this time that an event is no longer wanted. */
const INTEREST_REFRESH_MS = 6_000

/** Background work: how much was done during the load and afterwards, and the seconds that it took afterwards. */
export interface BackgroundReport {
  during: number
  afterwards: number
  seconds: number
}

/** Background work during a load. Called with the number of answered requests, it waits for all work that they caused, and ends it. */
export type BackgroundLoad = (requests: number) => Promise<BackgroundReport>

/** Sends each check-in to a webhook. */
export async function beginWebhooks(world: BenchWorld, receiver: string): Promise<BackgroundLoad> {
  const url = `${receiver}/${randomUUID()}`
  const end = await world.addWebhook(url)
  return async (requests) => {
    const delivered = await until(requests, async () => Number(await (await fetch(url)).text()))
    await end()
    return delivered
  }
}

/** Opens `count` live feeds with statistics, which show each check-in. */
export async function beginLiveFeeds(world: BenchWorld, watcher: string, count: number): Promise<BackgroundLoad> {
  const url = world.url + world.path('live?statistics=true')
  const opened = await fetch(watcher, { method: 'POST', body: JSON.stringify({ url, count }) })
  if (!opened.ok) throw new Error('the live feeds did not open')
  return async (requests) => {
    const received = await until(requests, async () => Number(await (await fetch(watcher)).text()))
    await fetch(watcher, { method: 'DELETE' })
    await world.unwatch()
    await sleep(INTEREST_REFRESH_MS)
    return received
  }
}

/** Lets `count` devices ask for the difference from their snapshots every second, after each has got a whole one. */
export async function beginSnapshots(world: BenchWorld, count: number): Promise<BackgroundLoad> {
  let answers = 0
  const over = new AbortController()
  const ask = async (since: string): Promise<string> => {
    const answer = await fetch(world.url + world.path(`snapshot.json${since}`))
    const text = await answer.text()
    // Refused so that scans go first: the device asks again.
    if (answer.status === 503) return since
    if (!answer.ok) throw new Error(`a snapshot was answered ${answer.status}`)
    answers++
    return `?since=${/"cursor":"([^"]+)"/.exec(text)?.[1]}`
  }
  const follow = async (): Promise<void> => {
    for (let since = await ask(''); !over.signal.aborted; since = await ask(since))
      await sleep(ASKED_EVERY_MS, undefined, { signal: over.signal }).catch(() => {})
  }
  await ask('')
  const devices = Array.from({ length: count }, follow)
  return async () => {
    over.abort()
    const during = answers
    await Promise.all(devices)
    return { during, afterwards: answers - during, seconds: 0 }
  }
}

/** Orders `count` badges. */
export async function beginBadges(world: BenchWorld, count: number): Promise<BackgroundLoad> {
  const made = await world.orderBadges(count)
  const before = await made()
  return async () => {
    const { during, ...rest } = await until(count, made)
    return { during: during - before, ...rest }
  }
}

/** Polls `count` until it reaches `all`. Throws after five minutes. */
async function until(all: number, count: () => Promise<number>): Promise<BackgroundReport> {
  const begun = performance.now()
  const during = await count()
  for (let done = during; done < all; done = await count()) {
    if (performance.now() - begun > TIMEOUT_MS)
      throw new Error(`${done} of ${all} done in the background after ${TIMEOUT_MS / 60_000} minutes`)
    await sleep(POLL_MS)
  }
  return { during, afterwards: all - during, seconds: (performance.now() - begun) / 1_000 }
}
