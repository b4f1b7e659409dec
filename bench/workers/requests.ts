import { recipientOf } from '../documents.ts'

/** What the load generator sends. It is sent from one process to another, so it contains plain data only. */
export type RequestJob = {
  /** With `auth_token` where one is needed. */
  path: string
} /** Before each request a guest changes, or one person of the next guest comes in. */ & (
  | { kind: 'get'; change?: { path: string; body: string }; scans?: ScansBefore }
  | ({ kind: 'scans'; format: Format; size: number } & ScanPlan)
  | { kind: 'invitations'; size: number }
  /** A site asks for the contacts of access tokens, in turn. */
  | { kind: 'contacts'; tokens: string[] }
  /** A site exchanges codes, each once. `form` is the body of that request without the code. */
  | { kind: 'codes'; codes: string[]; form: string }
)

/** Scans of one guest after another from the first on, at a point. */
interface ScansBefore {
  path: string
  accesspoint_id: string
  uids: string[]
  first: number
}

/** Where and whom scans are of: at points where a guest may enter once, and at one without a limit. */
export interface ScanPlan {
  once: string[]
  unlimited: string
  uids: string[]
  /** How many come in with each scan; 1 by default. */
  persons?: number
}

/** A scan as a device sends it. */
export interface ScanBody {
  accesspoint_id: string
  guest_uid: string
  access_stamp: string
  persons?: number
}

/** The bytes of a request, and of those that are sent before it and not measured. */
interface Requests {
  before?: Buffer[]
  request: Buffer
}

export type Format = 'json' | 'xml'
type JobOf<Kind> = Extract<RequestJob, { kind: Kind }>
type Maker = (n: number) => Requests

/** Returns a function that makes the n-th request of a run, from 0. `from` is far from that of any other run. */
export function requestsOf(job: RequestJob, from: number): Maker {
  switch (job.kind) {
    case 'get': {
      const request = requestOf('GET', job.path)
      const before = job.change ? [requestOf('PUT', job.change.path, 'json', job.change.body)] : []
      const { scans } = job
      if (!scans) return () => ({ request, before })
      return (n) => {
        const { path, accesspoint_id, uids, first } = scans
        const scan = { accesspoint_id, guest_uid: uids[(first + n) % uids.length] }
        return { request, before: [requestOf('POST', path, 'json', JSON.stringify(scan))] }
      }
    }
    case 'scans':
      return scans(job, from)
    case 'invitations':
      return (n) => {
        const first = from + n * job.size
        const recipients = Array.from({ length: job.size }, (_, index) => recipientOf(`i${first + index}`))
        return { request: requestOf('POST', job.path, 'json', JSON.stringify(recipients)) }
      }
    case 'contacts': {
      const requests = job.tokens.map((token) =>
        Buffer.from(`GET ${job.path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`),
      )
      return (n) => ({ request: requests[n % requests.length] as Buffer })
    }
    case 'codes':
      return (n) => {
        if (n >= job.codes.length) throw new Error('all prepared codes are used up')
        return { request: requestOf('POST', job.path, 'form', `${job.form}&code=${job.codes[n]}`) }
      }
  }
}

/** Single check-ins, or batches of them. */
function scans({ path, format, size, ...plan }: JobOf<'scans'>, from: number): Maker {
  const scanAt = (n: number): ScanBody => scanOf(plan, n, from)
  const write = bodies[format]
  return (n) => {
    const body =
      size === 1 ? write.one(scanAt(n)) : write.many(Array.from({ length: size }, (_, i) => scanAt(n * size + i)))
    return { request: requestOf('POST', path, format, body) }
  }
}

/** A stamp within this time before its arrival counts as current (services/checkin/counting/arrival.ts). */
const CURRENT_MS = 4_000

/**
 * The n-th scan of a run, from 0: alternately a guest's first at a point with a limit of one, and one at the point without a limit. The stamp is the
 * current time, less up to four seconds, so that scans of the same millisecond differ. Throws when all guests have entered at all points with a limit.
 */
export function scanOf({ once, unlimited, uids, persons }: ScanPlan, n: number, from = 0): ScanBody {
  const guest = n >> 1
  const limited = once[Math.floor(guest / uids.length)]
  if (!limited) throw new Error('all guests have entered at all points with a limit')
  return {
    accesspoint_id: n % 2 ? unlimited : limited,
    guest_uid: uids[guest % uids.length] as string,
    access_stamp: new Date(Date.now() - ((from + n) % CURRENT_MS)).toISOString(),
    ...(persons !== undefined && { persons }),
  }
}

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>'
const scanXml = ({ accesspoint_id, guest_uid, access_stamp }: ScanBody): string =>
  `<access_control><accesspoint_id>${accesspoint_id}</accesspoint_id><guest_uid>${guest_uid}</guest_uid>` +
  `<access_stamp type="datetime">${access_stamp}</access_stamp></access_control>`

/** Writers of scans, by format. */
const bodies = {
  json: { one: (scan: ScanBody) => JSON.stringify(scan), many: (all: ScanBody[]) => JSON.stringify(all) },
  xml: {
    one: (scan: ScanBody) => PROLOGUE + scanXml(scan),
    many: (all: ScanBody[]) =>
      `${PROLOGUE}<access_controls type="array">${all.map(scanXml).join('')}</access_controls>`,
  },
}

const types = { json: 'application/json', xml: 'application/xml', form: 'application/x-www-form-urlencoded' } as const

function requestOf(method: string, path: string, format?: keyof typeof types, body = ''): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\n`
  if (!format) return Buffer.from(`${head}\r\n`)
  return Buffer.from(
    `${head}Content-Type: ${types[format]}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
