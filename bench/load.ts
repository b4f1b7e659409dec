import { openClient } from './client.ts'
import { type Job, makers, type Next } from './requests.ts'
import { serveJobs } from './serve-jobs.ts'

/*
 * The load generator, a separate process. It writes prepared bytes to plain sockets, because it takes its CPU from the processes that it
 * measures.
 */

/** The result of a run. Latencies are in milliseconds, sorted. */
export interface LoadResult {
  requests: number
  seconds: number
  latencies: number[]
  /** The planned time of the request with the longest latency, in an open loop: ISO 8601, to look it up in the logs of the stores. */
  longestAt?: string
  /** Answers by status. */
  statuses: Record<string, number>
}

serveJobs<Job>((job) => (job.rate === undefined ? closedLoop(job) : openLoop(job, job.rate)))

/** Sends requests over each connection, the next as soon as the last is answered. */
async function closedLoop(job: Job): Promise<LoadResult> {
  const next = makers[job.kind](job)
  const clients = await Promise.all(Array.from({ length: job.concurrency }, () => openClient(job.url)))
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const start = performance.now()
  const until = start + job.seconds * 1_000
  let sent = 0
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const { before = [], request }: Next = next(sent++)
        for (const bytes of before) await client.ask(bytes)
        const begun = performance.now()
        const status = await client.ask(request)
        latencies.push(performance.now() - begun)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )
  const seconds = (performance.now() - start) / 1_000
  for (const client of clients) client.socket.destroy()
  return { requests: latencies.length, seconds, latencies: latencies.sort((a, b) => a - b), statuses }
}

/** A system that needs more connections is overloaded; further requests wait for a free one. */
const MAX_CONNECTIONS = 1_024

/**
 * Sends requests at planned times, whether the last is answered or not. A latency counts from the planned time, so that it includes any stall
 * during which the request was due.
 */
async function openLoop(job: Job, rate: number): Promise<LoadResult> {
  const next = makers[job.kind](job)
  const idle = await Promise.all(Array.from({ length: job.concurrency }, () => openClient(job.url)))
  const all = [...idle]
  let opening = 0
  const latencies: number[] = []
  let longest = { latency: 0, planned: 0 }
  const statuses: Record<string, number> = {}
  const count = Math.floor(rate * job.seconds)
  const finished = Promise.withResolvers<void>()
  const start = performance.now()
  let due = 0
  let sent = 0
  let answers = 0

  const send = async (): Promise<void> => {
    const client = idle.pop()
    if (!client) return
    const planned = start + (sent / rate) * 1_000
    const { request }: Next = next(sent++)
    const status = await client.ask(request)
    const latency = performance.now() - planned
    latencies.push(latency)
    if (latency > longest.latency) longest = { latency, planned }
    statuses[status] = (statuses[status] ?? 0) + 1
    idle.push(client)
    if (++answers === count) finished.resolve()
    else sendDue()
  }
  const sendDue = (): void => {
    while (sent < due && idle.length > 0) send().catch(finished.reject)
    for (; opening < due - sent && all.length + opening < MAX_CONNECTIONS; opening++) {
      openClient(job.url).then((client) => {
        opening--
        all.push(client)
        idle.push(client)
        sendDue()
      }, finished.reject)
    }
  }
  // The requests of one millisecond are sent together: finer timers would cost CPU.
  const clock = setInterval(() => {
    due = Math.min(count, Math.floor(((performance.now() - start) / 1_000) * rate) + 1)
    sendDue()
    if (due === count) clearInterval(clock)
  }, 1)
  try {
    await finished.promise
  } finally {
    clearInterval(clock)
  }
  const seconds = (performance.now() - start) / 1_000
  for (const client of all) client.socket.destroy()
  const longestAt = new Date(performance.timeOrigin + longest.planned).toISOString()
  return { requests: answers, seconds, latencies: latencies.sort((a, b) => a - b), longestAt, statuses }
}
