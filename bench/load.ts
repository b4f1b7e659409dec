import { connect, type Socket } from 'node:net'
import { type Job, makers, type Next } from './requests.ts'

/*
 * The load generator, a process of its own. It writes ready-made bytes to plain sockets and reads no more of an answer than its
 * status and length: it shares the machine with what it measures, so each cycle that it saves is a cycle of theirs.
 */

/** What a run of load came to. Latencies are in milliseconds, sorted. */
export interface LoadResult {
  requests: number
  seconds: number
  latencies: number[]
  /** Answers by status. */
  statuses: Record<string, number>
}

const HEAD_END = Buffer.from('\r\n\r\n')

process.on('message', (job: Job) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit(0))

async function run(job: Job): Promise<LoadResult> {
  const next = makers[job.kind](job)
  const sockets = await Promise.all(Array.from({ length: job.concurrency }, () => open(job.url)))
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const start = performance.now()
  const until = start + job.seconds * 1_000
  let sent = 0
  await Promise.all(
    sockets.map(async (client) => {
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
  for (const client of sockets) client.socket.destroy()
  return { requests: latencies.length, seconds, latencies: latencies.sort((a, b) => a - b), statuses }
}

interface Client {
  socket: Socket
  /** Sends a request and gives the answer's status. */
  ask(bytes: Buffer): Promise<number>
}

function open(url: string): Promise<Client> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let answered: (status: number) => void = () => {}
    let failed: (error: Error) => void = reject
    let held: Buffer[] = []
    let length = 0
    let needed = Number.POSITIVE_INFINITY
    let status = 0
    const fail = (error: Error): void => failed(error)
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the server closed the connection')))
    socket.on('data', (chunk: Buffer) => {
      held.push(chunk)
      length += chunk.length
      if (needed === Number.POSITIVE_INFINITY) {
        const bytes = held.length === 1 ? chunk : Buffer.concat(held)
        const end = bytes.indexOf(HEAD_END)
        if (end < 0) return
        const head = bytes.toString('latin1', 0, end)
        status = Number(head.slice(9, 12))
        needed = end + HEAD_END.length + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      }
      if (length < needed) return
      held = []
      length = 0
      needed = Number.POSITIVE_INFINITY
      answered(status)
    })
    socket.on('connect', () =>
      resolve({
        socket,
        ask: (bytes) =>
          new Promise((done, refuse) => {
            answered = done
            failed = refuse
            socket.write(bytes)
          }),
      }),
    )
  })
}
