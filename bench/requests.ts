import { bodies, type ScanBody } from './bodies.ts'

/** What the load generator is told to do. Everything in it crosses from one process to another. */
export interface Job {
  kind: keyof typeof makers
  /** `http://127.0.0.1:port` */
  url: string
  concurrency: number
  seconds: number
  /** Requests a second at planned moments (open loop); as fast as they are answered where not given. */
  rate?: number
  /** With its `auth_token`, where it needs one. */
  path: string
  /** A number of this run's own, far from those of others, so that no two runs send the same. */
  from: number
  /** Points that a guest may enter once, and one that anybody may enter as often as they like. */
  once?: string[]
  always?: string
  uids?: string[]
  category?: string
  /** Access tokens that a site asks about, in turn. */
  tokens?: string[]
  /** Codes that a site exchanges, each once, and all of the request but the code. */
  codes?: string[]
  form?: string
  /** A request that changes a guest, so that everything remembered of the event is forgotten. */
  spoil?: { path: string; body: string }
}

/** A request's bytes, and those that go before it without being measured. */
export interface Next {
  before?: Buffer[]
  request: Buffer
}

const types = { json: 'application/json', xml: 'application/xml', form: 'application/x-www-form-urlencoded' } as const

/** The requests of a run: the n-th, from 0. */
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
  /** Each scan is of the next guest, at a point without a limit. */
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
  /** A site asks whose a token is. */
  me: ({ path, tokens = [] }: Job) => {
    const requests = tokens.map((token) => get(path, `Authorization: Bearer ${token}\r\n`))
    return (n: number) => ({ request: requests[n % requests.length] as Buffer })
  },
  /** A site exchanges a code for a token. */
  exchange: ({ path, codes = [], form = '' }: Job) => {
    return (n: number): Next => {
      const code = codes[n]
      if (code === undefined) throw new Error('more exchanges than codes that were prepared')
      return { request: post(path, 'form', `${form}&code=${code}`) }
    }
  },
}

const ECHOED = {
  accesspoint_id: '5f5f5f5f5f5f5f5f5f5f5f5f',
  guest_uid: 'G00012345',
  access_stamp: '2026-05-01T10:00:00.000Z',
}

/** Who is scanned where: the part of a job that scans are made of. */
export type Scans = Pick<Job, 'from' | 'once' | 'always' | 'uids'>

/** Single check-ins: by turns a guest for the first time at a point with a limit of one, and a guest without a limit. */
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

/** The n-th scan of a run, from 0. Throws when all guests have entered everywhere: the run is then longer than its preparation. */
export function scanOf({ from, once = [], always = '', uids = [] }: Scans, n: number): ScanBody {
  const guest = n >> 1
  const limited = once[Math.floor(guest / uids.length)]
  if (!limited) throw new Error('more scans than guests that may still enter')
  return {
    accesspoint_id: n % 2 ? always : limited,
    guest_uid: uids[guest % uids.length] as string,
    access_stamp: stampOf(from + n),
  }
}

/** Within this time a stamp counts as that of now (services/checkin/counting/arrival.ts). */
const NOW_MS = 4_000

/** The time, as a device at the door has it; another one for each of some thousand scans of the same moment, so that none is the same. */
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
