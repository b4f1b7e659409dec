import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackgroundReport } from './report.ts'
import type { World } from './world.ts'

const LOOK_MS = 50
/** What goes on in the background is put off while the machine is busy, not for ever. */
const TIMEOUT_MS = 5 * 60_000
/** Services ask what is wanted at most this long after it was said to be less. */
const INTEREST_REFRESH_MS = 6_000

/** What goes on beside a load. Called when so many requests were answered, it waits until all that follows from them is done, and ends it. */
export type BackgroundLoad = (requests: number) => Promise<BackgroundReport>

/** Has a webhook told of each check-in. */
export async function beginWebhooks(world: World, receiver: string): Promise<BackgroundLoad> {
  const url = `${receiver}/${randomUUID()}`
  const end = await world.addWebhook(url)
  return async (requests) => {
    const delivered = await until(requests, async () => Number(await (await fetch(url)).text()))
    await end()
    return delivered
  }
}

/** Has so many live feeds, with statistics, show each check-in. */
export async function beginLiveFeeds(world: World, watcher: string, count: number): Promise<BackgroundLoad> {
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

/** Has so many badges wait to be made. */
export async function beginBadges(world: World, count: number): Promise<BackgroundLoad> {
  const made = await world.orderBadges(count)
  const before = await made()
  return async () => {
    const { during, ...rest } = await until(count, made)
    return { during: during - before, ...rest }
  }
}

/** Waits until so much is done. Throws when it is not within five minutes. */
async function until(all: number, count: () => Promise<number>): Promise<BackgroundReport> {
  const begun = performance.now()
  const during = await count()
  for (let done = during; done < all; done = await count()) {
    if (performance.now() - begun > TIMEOUT_MS) throw new Error(`${done} of ${all} done in the background`)
    await sleep(LOOK_MS)
  }
  return { during, afterwards: all - during, seconds: (performance.now() - begun) / 1_000 }
}
