import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection } from './connection.ts'
import { type RequestJob, requestsOf } from './requests.ts'
import { type LoadResult, resultOf, serveJobs } from './worker.ts'

/** A job for the load generator. */
export type LoadJob = RequestJob & {
  worker: 'load'
  /** `http://127.0.0.1:port` */
  url: string
  connections: number
  seconds: number
  /** Requests a second at planned times; without it, each is sent as soon as the last is answered. */
  rate?: number
}

/** More than the requests of any run, so that no two runs send the same scan. */
const RUN_APART = 10_000_000
let runs = 0

serveJobs(send)

/**
 * Sends requests over each connection, the next as soon as the last is answered, and not before its planned time if there is a rate. A latency counts
 * from the planned time, so that it includes any stall during which the request was due.
 */
async function send(job: LoadJob): Promise<LoadResult> {
  const { url, connections, seconds, rate } = job
  const next = requestsOf(job, runs++ * RUN_APART)
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(url)))
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const start = performance.now()
  const end = start + seconds * 1_000
  let sent = 0
  await Promise.all(
    opened.map(async (connection) => {
      for (;;) {
        const n = sent++
        const planned = rate === undefined ? performance.now() : start + (n / rate) * 1_000
        if (planned >= end) return
        const { before = [], request } = next(n)
        for (const bytes of before) await connection.ask(bytes)
        if (rate !== undefined) await sleep(Math.max(0, Math.ceil(planned - performance.now())))
        const begun = rate === undefined ? performance.now() : planned
        const status = await connection.ask(request)
        latencies.push(performance.now() - begun)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )
  const took = performance.now() - start
  for (const { socket } of opened) socket.destroy()
  return { ...resultOf(latencies.length, took, latencies), statuses }
}
