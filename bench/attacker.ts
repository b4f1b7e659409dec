import { connect } from 'node:net'
import { serveJobs } from './serve-jobs.ts'

/*
 * Sends what strangers and tokens of other accounts could send to slow a gateway down, over several connections, until it gets `end`. It runs in
 * a separate process (worker.ts), so that sending does not slow the load generator.
 */

/** What to send. */
export interface Attack {
  url: string
  path: string
  type: string
  body: keyof typeof bodies
  connections: number
  /** The check-in point that scans and signatures name. */
  point: string
  /** Whether it sends all but the last byte of a body and waits. */
  holds?: boolean
}

/** The number of answers of an attack by status; connections that broke count as status 0. */
export type AttackAnswers = Record<number, number>

const SIZE = 10 * 2 ** 20
/** The pause before a closed connection is opened again, in ms. */
const RECONNECT_MS = 20

const filled = (start: string, piece: string, end: string, size = SIZE): string =>
  start + piece.repeat(Math.floor((size - start.length - end.length) / piece.length)) + end
const listOf = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(',')}]`

/** Bodies of 10 MiB, or of the largest size allowed; some name a check-in point. */
const bodies = {
  elements: () => filled('<a>', '<a/>', '</a>'),
  form: () => filled('', 'a0[][b]=1&a1[][b]=1&', 'a=1', 2 ** 20),
  depth: () => filled('', '[', ''),
  objects: () => filled('[{}', ',{}', ']'),
  texts: () => filled('<a><b>', '&lt;', '</b></a>'),
  signatures: (point: string) => {
    const line = '{"x1":"1.5","y1":"2.5","x2":"3.5","y2":"4.5","stroke-width":"1"}'
    const points = `{"width":"100","height":"100","lines":${listOf(170, line)}}`
    return listOf(900, `{"accesspoint_id":"${point}","guest_uid":"unknown","points":${points}}`)
  },
  scans: (point: string) => listOf(10_000, `{"accesspoint_id":"${point}","guest_uid":"unknown"}`),
}

let sent = Buffer.alloc(0)
let isEnded = false
const attacked: AttackAnswers = {}

serveJobs(async (job: Attack | { end: true }) => {
  if ('end' in job) {
    isEnded = true
    return attacked
  }
  const { path, type, body, connections, point, holds, url } = job
  const text = bodies[body](point)
  const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`
  sent = Buffer.from(head + (holds ? text.slice(0, -1) : text))
  for (let n = 0; n < connections; n++) attackOnce(url)
  return attacked
})

/** Sends a request over a new connection, and repeats this when the connection is closed. */
function attackOnce(url: string): void {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let status = 0
  socket.on('error', () => {})
  socket.once('connect', () => socket.write(sent))
  socket.on('data', (chunk) => {
    status ||= Number(chunk.toString('latin1', 9, 12))
    socket.end()
  })
  socket.once('close', () => {
    attacked[status] = (attacked[status] ?? 0) + 1
    if (!isEnded) setTimeout(() => attackOnce(url), RECONNECT_MS)
  })
}
