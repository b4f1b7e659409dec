import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { wantedTypes } from '@gatehouse/proto/events/domain-events.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { apiOf } from '@gatehouse/test/harness/api.ts'
import { succeeded } from '@gatehouse/test/harness/call.ts'
import { uidOf } from './documents.ts'
import { BENCH, type Environment } from './environment.ts'
import { makeEvent } from './event.ts'

const POLL_MS = 50
/** Background work is postponed while the machine is busy, but not forever. */
const TIMEOUT_MS = 5 * 60_000
/** Far more often than devices do. */
const SNAPSHOT_EVERY_MS = 1_000
/** Services learn within this time that an event is no longer wanted. */
const INTEREST_REFRESH_MS = 6_000
const FEEDS = 10
const DEVICES = 10
/** More badges a second than can be made. */
const MAX_BADGES = 30
/** Badges in one file. */
const PRINTED = 10_000
/** Scans of a large batch, and connections that send such batches. */
const BATCHED = 10_000
const SENDERS = 8
/** Guests created concurrently. */
const AT_ONCE = 16

/** Background work: how much was done during the load and afterwards, and the seconds that it took afterwards. */
export interface BackgroundReport {
  during: number
  afterwards: number
  seconds: number
}

/** Background work during a load. Called with the number of answered requests, it waits for all work that they caused, and ends it. */
export type BackgroundLoad = (requests: number) => Promise<BackgroundReport>

/** Sends each check-in to a webhook. */
export async function sendToWebhook({ api, event, peers }: Environment): Promise<BackgroundLoad> {
  const url = `${peers.receiver}/${randomUUID()}`
  const hook = { url, event_types: ['check_in.created'], event_id: (await event())._id }
  const { _id } = await succeeded(api('POST', 'webhooks.json', hook))
  return async (requests) => {
    const delivered = await until(requests, async () => Number(await (await fetch(url)).text()))
    await succeeded(api('DELETE', `webhooks/${_id}.json`))
    return delivered
  }
}

/** Shows each check-in in live feeds with statistics. */
export async function openLiveFeeds(environment: Environment): Promise<BackgroundLoad> {
  const { event, peers, url } = environment
  const { watcher = '' } = peers
  const { _id, path } = await event()
  const feeds = { url: url + path('live?statistics=true'), count: FEEDS }
  const opened = await fetch(watcher, { method: 'POST', body: JSON.stringify(feeds) })
  if (!opened.ok) throw new Error('the live feeds did not open')
  return async (requests) => {
    const received = await until(requests, async () => Number(await (await fetch(watcher)).text()))
    await fetch(watcher, { method: 'DELETE' })
    await endWatch(environment, _id)
    return received
  }
}

/** Ends the watch of an event at once rather than after a day, so that other cases do not pay for it. */
async function endWatch({ system }: Environment, event_id: string): Promise<void> {
  const { mongodbUrl, namespace, natsUrlOf } = system
  const { db, close } = await openStore(mongodbUrl, namespace, 'hooks')
  const { deletedCount } = await db.collection<{ _id: string }>('watches').deleteOne({ _id: event_id })
  await close()
  if (deletedCount !== 1) throw new Error('the event was not watched')
  const bus = await connectBus({ servers: natsUrlOf(BENCH), namespace, name: BENCH, log: makeLog(BENCH, 'silent') })
  bus.announce(wantedTypes, [])
  await bus.stop()
  await sleep(INTEREST_REFRESH_MS)
}

/** Lets devices ask for the difference from their snapshots every second, after each has got a whole one. */
export async function askForSnapshots({ event, url }: Environment): Promise<BackgroundLoad> {
  const { path } = await event()
  let answers = 0
  const over = new AbortController()
  const ask = async (since: string): Promise<string> => {
    const answer = await fetch(url + path(`snapshot.json${since}`))
    const text = await answer.text()
    // Refused so that scans go first: the device asks again.
    if (answer.status === 503) return since
    if (!answer.ok) throw new Error(`a snapshot was answered ${answer.status}`)
    answers++
    return `?since=${/"cursor":"([^"]+)"/.exec(text)?.[1]}`
  }
  const follow = async (): Promise<void> => {
    for (let since = await ask(''); !over.signal.aborted; since = await ask(since))
      await sleep(SNAPSHOT_EVERY_MS, undefined, { signal: over.signal }).catch(() => {})
  }
  await ask('')
  const devices = Array.from({ length: DEVICES }, follow)
  return async () => {
    over.abort()
    const during = answers
    await Promise.all(devices)
    return { during, afterwards: answers - during, seconds: 0 }
  }
}

/** Orders more badges, of guests of another event, than can be made meanwhile. */
export async function orderBadges({ api, system }: Environment, seconds: number): Promise<BackgroundLoad> {
  const count = MAX_BADGES * seconds
  const { account_id } = system
  const event = await succeeded(api('POST', 'events.json', { title: 'Badges', account_id }))
  const design = { name: 'Speakers', badge_enabled: true, badge_qr_code_enabled: true }
  const category = await succeeded(api('POST', `events/${event._id}/guest_categories.json`, design))
  const order = (n: number): Promise<unknown> => {
    const names = { first_name: 'Ada', last_name: `Lovelace ${n}`, company_name: 'Analytical Engines' }
    const guest = { guest_category_id: category._id, uid: uidOf(n), position: 'Speaker', ...names }
    return succeeded(api('POST', `events/${event._id}/guests.json`, guest))
  }
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => order(from + n)))
  const made = async (): Promise<number> => {
    const pages = Array.from({ length: Math.ceil(count / 500) }, (_, n) =>
      succeeded(api('GET', `events/${event._id}/guests.json?per_page=500&page=${n + 1}`)),
    )
    const guests = (await Promise.all(pages)).flat() as { badge_completed: boolean }[]
    return guests.filter(({ badge_completed }) => badge_completed).length
  }
  const before = await made()
  return async () => {
    const { during, ...rest } = await until(count, made)
    return { during: during - before, ...rest }
  }
}

/** Prints the badges of a large fair, another event of the account, in one file; and again while the load lasts. */
export async function printBadges({ api, system, url, worker }: Environment): Promise<BackgroundLoad> {
  const { account_id, auth_token } = system
  const event = await succeeded(api('POST', 'events.json', { title: 'Printed', account_id }))
  const design = { name: 'Visitors', badge_enabled: true, badge_qr_code_enabled: true }
  const { _id: category } = await succeeded(api('POST', `events/${event._id}/guest_categories.json`, design))
  const seed = { kind: 'seed', event_id: event._id, category, count: PRINTED, party_size: 1 } as const
  await (await worker('driver')).run({ worker: 'driver', ...seed })
  const file = `${url}/api/v1/events/${event._id}/badges.pdf?auth_token=${auth_token}`
  const begun = performance.now()
  let printed = 0
  const printOnce = async (): Promise<void> => {
    const { body, status } = await fetch(file)
    if (status !== 200 || !body) throw new Error(`badges were answered ${status}`)
    const before = printed
    for await (const text of body.pipeThrough(new TextDecoderStream('latin1')))
      for (const [, made] of text.matchAll(/%Badges (\d+) of/g)) printed = before + Number(made)
    printed = before + PRINTED
  }
  let isOver = false
  const printing = (async () => {
    while (!isOver) await printOnce()
  })()
  return async () => {
    isOver = true
    const during = printed
    await printing
    return { during, afterwards: printed - during, seconds: (performance.now() - begun) / 1_000 }
  }
}

/** Sends batches of very many scans, of an account of its own, over several connections without a break. */
export async function sendBatches({ system, url }: Environment): Promise<BackgroundLoad> {
  const account = await system.account(`batches-${randomUUID()}`)
  const { path, unlimited } = await makeEvent(account, apiOf(url, account.auth_token), async () => {}, 0)
  const scans = Array.from({ length: BATCHED }, (_, n) => ({ accesspoint_id: unlimited, guest_uid: `unknown-${n}` }))
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(scans) }
  let answers = 0
  let isOver = false
  const senders = Array.from({ length: SENDERS }, async () => {
    while (!isOver) {
      await (await fetch(url + path('access_controls/batch_create.json'), request)).arrayBuffer()
      answers++
    }
  })
  return async () => {
    isOver = true
    const during = answers
    await Promise.all(senders)
    return { during, afterwards: answers - during, seconds: 0 }
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
