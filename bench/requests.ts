import { bodies, recipientOf, type ScanBody } from './bodies.ts'

/** A job for the load generator. It is sent from one process to another, so it contains plain data only. */
export interface Job {
  kind: keyof typeof makers
  /** `http://127.0.0.1:port` */
  url: string
  concurrency: number
  seconds: number
  /** Requests a second at planned times (open loop); without it, each is sent as soon as the last is answered. */
  rate?: number
  /** With `auth_token` where one is needed. */
  path: string
  /** The first number of this run, far from those of others, so that no two runs send the same scan. */
  from: number
  /** Points where a guest may enter once, and one without a limit. */
  once?: string[]
  always?: string
  uids?: string[]
  category?: string
  /** Recipients of one request. */
  size?: number
  /** Access tokens that a site asks about, in turn. */
  tokens?: string[]
  /** Codes that a site exchanges, each once, and the body of that request without the code. */
  codes?: string[]
  form?: string
  /** A request that changes a guest, so that the caches of the event are invalidated. */
  spoil?: { path: string; body: string }
}

/** The bytes of a request, and of those that are sent before it and not measured. */
export interface Next {
  before?: Buffer[]
  request: Buffer
}

const types = { json: 'application/json', xml: 'application/xml', form: 'application/x-www-form-urlencoded' } as const

/** Makers of requests by kind. Each gives a function that makes the n-th request of a run, from 0. */
export const makers = {
  echo: ({ path }: Job) => {
    const request = post(path, 'json', bodies.checkIn.json(ECHOED))
    return () => ({ request })
  },
  get: ({ path, spoil }: Job) => {
    const request = get(path)
    const before = spoil ? [bytes('PUT', spoil.path, 'json', spoil.body)] : []
    return (): Next => ({ request, before })
  },
  scanJson: scans('json'),
  scanXml: scans('xml'),
  /** Scans of one guest after another, at a point without a limit. */
  scanOfNext: ({ path, from, always = '', uids = [] }: Job) => {
    return (n: number): Next => {
      const guest_uid = uids[n % uids.length] as string
      const scan = { accesspoint_id: always, guest_uid, access_stamp: stampOf(from + n) }
      return { request: post(path, 'json', bodies.checkIn.json(scan)) }
    }
  },
  batchJson: batches('json'),
  batchXml: batches('xml'),
  guest: ({ path, from, category = '' }: Job) => {
    return (n: number) => ({ request: post(path, 'json', bodies.guest(from + n, category)) })
  },
  /** A partner invites recipients. */
  invite: ({ path, from, size = 1 }: Job) => {
    return (n: number) => {
      const recipients = Array.from({ length: size }, (_, index) => recipientOf(`i${from + n * size + index}`))
      return { request: post(path, 'json', JSON.stringify(recipients)) }
    }
  },
  /** A site asks for the contact of an access token. */
  me: ({ path, tokens = [] }: Job) => {
    const requests = tokens.map((token) => get(path, `Authorization: Bearer ${token}\r\n`))
    return (n: number) => ({ request: requests[n % requests.length] as Buffer })
  },
  /** A site exchanges a code for a token. */
  exchange: ({ path, codes = [], form = '' }: Job) => {
    return (n: number): Next => {
      const code = codes[n]
      if (code === undefined) throw new Error('all prepared codes are used up')
      return { request: post(path, 'form', `${form}&code=${code}`) }
    }
  },
}

const ECHOED = {
  accesspoint_id: '5f5f5f5f5f5f5f5f5f5f5f5f',
  guest_uid: 'G00012345',
  access_stamp: '2026-05-01T10:00:00.000Z',
}

/** The part of a job from which scans are made. */
export type Scans = Pick<Job, 'from' | 'once' | 'always' | 'uids'>

/** Single check-ins: alternately a guest's first at a point with a limit of one, and one at a point without a limit. */
function scans(format: 'json' | 'xml') {
  return (job: Job) => {
    const write = bodies.checkIn[format]
    return (n: number): Next => ({ request: post(job.path, format, write(scanOf(job, n))) })
  }
}

/** Items of a batch. */
export const BATCH = 500

/** Batches of the same scans. */
function batches(format: 'json' | 'xml') {
  return (job: Job) => {
    const write = bodies.batch[format]
    return (n: number): Next => {
      const items = Array.from({ length: BATCH }, (_, index) => scanOf(job, n * BATCH + index))
      return { request: post(job.path, format, write(items)) }
    }
  }
}

/** The n-th scan of a run, from 0. Throws when all guests have entered at all points with a limit: more points are needed. */
export function scanOf({ from, once = [], always = '', uids = [] }: Scans, n: number): ScanBody {
  const guest = n >> 1
  const limited = once[Math.floor(guest / uids.length)]
  if (!limited) throw new Error('all guests have entered at all points with a limit')
  return {
    accesspoint_id: n % 2 ? always : limited,
    guest_uid: uids[guest % uids.length] as string,
    access_stamp: stampOf(from + n),
  }
}

/** A stamp within this time before its arrival counts as current (services/checkin/counting/arrival.ts). */
const NOW_MS = 4_000

/** The current time, less up to four seconds, so that scans of the same millisecond get different stamps. */
function stampOf(n: number): string {
  return new Date(Date.now() - (n % NOW_MS)).toISOString()
}

function get(path: string, headers = ''): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${headers}\r\n`)
}

function post(path: string, format: keyof typeof types, body: string): Buffer {
  return bytes('POST', path, format, body)
}

function bytes(method: string, path: string, format: keyof typeof types, body: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: ${types[format]}\r\n`
  return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
