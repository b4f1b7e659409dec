import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { ObjectId } from 'mongodb'
import { createTransport } from 'nodemailer'
import { contentOf } from '../services/partners/delivery/hand-overs/mails.ts'
import { TURN } from '../services/partners/delivery/hand-overs/turns.ts'
import { InvitationStore } from '../services/partners/delivery/invitations/store.ts'
import { recipientOf } from './bodies.ts'
import { invitationOf } from './documents.ts'
import type { LoadResult } from './load.ts'
import { allow, type BenchPartner } from './partners.ts'
import { send } from './send.ts'
import { serveJobs } from './serve-jobs.ts'

/* Hands e-mails to the sink by nodemailer alone, or waits until the system has done so; a separate process. */

/** A job for the mailer. */
export type MailJob = { sink: string; prefix: string } & (
  | { kind: 'nodemailer'; count: number; connections: number }
  /** The same, each e-mail stored as begun before and as sent afterwards. */
  | { kind: 'stored'; count: number; connections: number }
  /** Lets partners send their e-mails, `count` in all. */
  | { kind: 'partners'; url: string; partners: BenchPartner[]; count: number }
  /** Invites one recipient after another at planned times, `rate` a second. */
  | { kind: 'single'; url: string; partner: BenchPartner; rate: number; seconds: number }
)

/** How often the sink is asked how much it has. */
const POLL_MS = 20
const TIMEOUT_MS = 300_000
/** Invitations which one command stores. */
const STORED_AT_ONCE = 1_000
/** As many turns as the mail service takes at once. */
const TURNS_AT_ONCE = 4
/** As long as the names of the bench's partners. */
const NAME = 'Acme 7f3c1c1e-58f4-4c8e-9d7b-0d9d1e7d0a53'

serveJobs<MailJob>(async (job) => {
  if (job.kind === 'nodemailer') return alone(job)
  if (job.kind === 'stored') return stored(job)
  return job.kind === 'partners' ? together(job) : single(job)
})

type Of<Kind> = Extract<MailJob, { kind: Kind }>

/** The same messages as those of the mail service, from nodemailer's own pool. */
async function alone({ sink, prefix, count, connections }: Of<'nodemailer'>): Promise<LoadResult> {
  const transport = poolTo(sink, connections)
  const names = Array.from({ length: count }, (_, n) => `${prefix}-${n}`)
  await Promise.all(names.map((name) => transport.sendMail(messageOf(name))))
  transport.close()
  return resultOf(await arrivalsAt(sink, prefix, count))
}

function poolTo(sink: string, connections: number) {
  return createTransport({
    host: '127.0.0.1',
    port: Number(new URL(sink).searchParams.get('smtp')),
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
  })
}

/** Sends invitations in turns, several at once, as the system does, with the two writes of each and nothing else: no quotas, nobody to be fair to. */
async function stored({ sink, prefix, count, connections }: Of<'stored'>): Promise<LoadResult> {
  const { MONGODB_URL: mongodbUrl = '', NAMESPACE: namespace = '' } = process.env
  const store = await openStore(mongodbUrl, namespace, 'mailer')
  const invitations = new InvitationStore(store.db)
  await invitations.prepare()
  const someId = (): string => new ObjectId().toHexString()
  const owner = { event_id: someId(), partner_id: someId(), partner_campaign_id: someId(), reservation: someId() }
  const documents = Array.from({ length: count }, (_, n) => invitationOf(n, owner))
  for (let from = 0; from < count; from += STORED_AT_ONCE) {
    await invitations.insertPending(documents.slice(from, from + STORED_AT_ONCE))
  }
  const transport = poolTo(sink, connections)
  const turns = Array.from({ length: Math.ceil(count / TURN) }, (_, n) => documents.slice(n * TURN, (n + 1) * TURN))
  await Promise.all(
    Array.from({ length: TURNS_AT_ONCE }, async (_, worker) => {
      for (let n = worker; n < turns.length; n += TURNS_AT_ONCE) {
        const turn = turns[n] ?? []
        const ids = turn.map(({ _id }) => _id)
        const claim = someId()
        const claimed = await invitations.claim(owner.event_id, claim, turn)
        await Promise.all(claimed.map((_, i) => transport.sendMail(messageOf(`${prefix}-${n * TURN + i}`))))
        await invitations.end(owner.event_id, claim, ids, 'sent', null)
      }
    }),
  )
  transport.close()
  await store.close()
  return resultOf(await arrivalsAt(sink, prefix, count))
}

function messageOf(name: string) {
  const { email } = recipientOf(name)
  const link = `http://127.0.0.1:8080/rsvp/5f5f5f5f5f5f5f5f5f5f5f5f/${'x'.repeat(43)}`
  return {
    to: { name: '', address: email },
    from: { name: NAME, address: 'noreply@gatehouse.example' },
    ...contentOf(null, {
      first_name: '',
      last_name: '',
      email,
      event_title: 'Bench',
      partner_name: NAME,
      link,
    }),
    messageId: `<${name}@gatehouse.example>`,
    headers: {
      'List-Unsubscribe': `<${link}/unsubscribe>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

async function together({ sink, prefix, url, partners, count }: Of<'partners'>): Promise<LoadResult> {
  await Promise.all(partners.map((partner) => allow(url, partner, true)))
  return resultOf(await arrivalsAt(sink, prefix, count))
}

/** Latencies are from the planned time of a request until the sink has the e-mail. */
async function single({ sink, prefix, url, partner, rate, seconds }: Of<'single'>): Promise<LoadResult> {
  const count = Math.floor(rate * seconds)
  const start = performance.now()
  const planned = (n: number): number => start + (n * 1_000) / rate
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      await sleep(Math.max(0, planned(n) - performance.now()))
      await send('POST', url + partner.batches, [recipientOf(`${prefix}-${n}`)])
    }),
  )
  const arrivals = await arrivalsAt(sink, prefix, count)
  const latencies = Array.from(
    { length: count },
    (_, n) => (arrivals.get(recipientOf(`${prefix}-${n}`).email) ?? Number.NaN) - performance.timeOrigin - planned(n),
  )
  return { requests: count, seconds, latencies: latencies.sort((a, b) => a - b), statuses: {} }
}

/** Waits until `count` e-mails have arrived; gives the times by recipient. */
async function arrivalsAt(sink: string, prefix: string, count: number): Promise<Map<string, number>> {
  const path = new URL(`/${prefix}`, sink)
  const until = performance.now() + TIMEOUT_MS
  for (;;) {
    const { headers } = await fetch(path, { method: 'HEAD' })
    const arrived = Number(headers.get('arrivals'))
    if (arrived === count) break
    if (performance.now() > until) throw new Error(`${arrived} of ${count} e-mails arrived in ${TIMEOUT_MS / 1_000} s`)
    await sleep(POLL_MS)
  }
  return new Map(Object.entries((await (await fetch(path)).json()) as Record<string, number>))
}

/** The rate from the first arrival to the last; latencies are the times between two arrivals. */
function resultOf(arrivals: Map<string, number>): LoadResult {
  const times = [...arrivals.values()].sort((a, b) => a - b)
  const gaps = times.slice(1).map((at, index) => at - (times[index] as number))
  const took = (times.at(-1) as number) - (times[0] as number)
  return { requests: gaps.length, seconds: took / 1_000, latencies: gaps.sort((a, b) => a - b), statuses: {} }
}
