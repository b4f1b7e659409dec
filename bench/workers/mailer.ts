import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { apiOf } from '@gatehouse/test/harness/api.ts'
import { succeeded } from '@gatehouse/test/harness/call.ts'
import { createTransport } from 'nodemailer'
import { InvitationStore } from '../../services/partners/delivery/invitations/store.ts'
import { contentOf } from '../../services/partners/delivery/sending/mails.ts'
import { BATCH_SIZE } from '../../services/partners/delivery/sending/send-queue.ts'
import { invitationOf, newId, recipientOf } from '../documents.ts'
import { type LoadResult, resultOf, serveJobs } from './worker.ts'

/* Hands e-mails to the SMTP sink by nodemailer, or waits until the system has done so. */

/** A partner with a campaign of its own: the paths of its batches, with its access token, and of the partner itself. */
export interface BenchPartner {
  batches: string
  path: string
}

/** A job for the mailer. */
export type MailJob = {
  worker: 'mailer'
  sink: string
  prefix: string
} /** Sends by nodemailer, with the two writes of each e-mail and nothing else. */ & (
  | { kind: 'alone'; count: number }
  /** Lets partners send their e-mails, `count` in all. */
  | { kind: 'partners'; url: string; token: string; partners: BenchPartner[]; count: number }
  /** Invites one recipient after another at planned times, `rate` a second. */
  | { kind: 'single'; url: string; partner: BenchPartner; rate: number; seconds: number }
)
type JobOf<Kind> = Extract<MailJob, { kind: Kind }>

const POLL_MS = 20
const TIMEOUT_MS = 300_000
/** Invitations that one command stores. */
const STORED_AT_ONCE = 1_000
/** As many batches and connections as one mail process has. */
const BATCHES_AT_ONCE = 4
const CONNECTIONS = 5
/** As long as the names of the bench's partners. */
const NAME = 'Acme 7f3c1c1e-58f4-4c8e-9d7b-0d9d1e7d0a53'

serveJobs<MailJob>(async (job) => {
  if (job.kind === 'alone') return sendAlone(job)
  return job.kind === 'partners' ? letPartnersSend(job) : inviteOneByOne(job)
})

/** Sends invitations in batches, several at once, as the system does, with the two writes of each: no quotas, nobody to be fair to. */
async function sendAlone({ sink, prefix, count }: JobOf<'alone'>): Promise<LoadResult> {
  const { MONGODB_URL: mongodbUrl = '', NAMESPACE: namespace = '' } = process.env
  const store = await openStore(mongodbUrl, namespace, 'mailer')
  const invitations = new InvitationStore(store.db)
  await invitations.prepare()
  const owner = { event_id: newId(), partner_id: newId(), partner_campaign_id: newId(), reservation: newId() }
  const documents = Array.from({ length: count }, (_, n) => invitationOf(n, owner))
  for (let from = 0; from < count; from += STORED_AT_ONCE) {
    await invitations.insertPending(documents.slice(from, from + STORED_AT_ONCE))
  }
  const transport = createTransport({
    host: '127.0.0.1',
    port: Number(new URL(sink).searchParams.get('smtp')),
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
  })
  const batches = Array.from({ length: Math.ceil(count / BATCH_SIZE) }, (_, n) =>
    documents.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
  )
  const sendBatches = async (worker: number): Promise<void> => {
    for (let n = worker; n < batches.length; n += BATCHES_AT_ONCE) {
      const batch = batches[n] ?? []
      const lease = newId()
      const leased = await invitations.lease(owner.event_id, lease, batch)
      await Promise.all(leased.map((_, i) => transport.sendMail(messageOf(`${prefix}-${n * BATCH_SIZE + i}`))))
      const ids = batch.map(({ _id }) => _id)
      await invitations.recordOutcome(owner.event_id, lease, ids, 'sent', null)
    }
  }
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, (_, worker) => sendBatches(worker)))
  transport.close()
  await store.close()
  return rateOf(await arrivalsAt(sink, prefix, count))
}

/** An event without branding and date. */
const EVENT = {
  ...{ organizer: null, title: 'Bench', colour: null, mail_logo: null, locale: 'en' },
  ...{ start_date: null, end_date: null, timezone: 'UTC', location: null },
}

/** The same message as that of the mail service. */
function messageOf(name: string) {
  const { email } = recipientOf(name)
  const link = `http://127.0.0.1:8080/rsvp/5f5f5f5f5f5f5f5f5f5f5f5f/${'x'.repeat(43)}`
  const unsubscribe_link = `${link}/unsubscribe`
  const names = { first_name: '', last_name: '', email, partner_name: NAME, link, unsubscribe_link }
  return {
    to: { name: '', address: email },
    from: { name: NAME, address: 'noreply@gatehouse.example' },
    ...contentOf(null, names, EVENT),
    messageId: `<${name}@gatehouse.example>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribe_link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

async function letPartnersSend({ sink, prefix, url, partners, count, token }: JobOf<'partners'>): Promise<LoadResult> {
  const api = apiOf(url, token)
  await Promise.all(partners.map(({ path }) => succeeded(api('PUT', path, { disable_emails: false }))))
  return rateOf(await arrivalsAt(sink, prefix, count))
}

/** Latencies are from the planned time of a request until the sink has the e-mail. */
async function inviteOneByOne({ sink, prefix, url, partner, rate, seconds }: JobOf<'single'>): Promise<LoadResult> {
  const api = apiOf(url, '')
  const names = Array.from({ length: Math.floor(rate * seconds) }, (_, n) => `${prefix}-${n}`)
  const start = performance.now()
  const plannedAt = (n: number): number => start + (n * 1_000) / rate
  const send = async (name: string, n: number): Promise<void> => {
    await sleep(Math.max(0, plannedAt(n) - performance.now()))
    await succeeded(api('POST', partner.batches, [recipientOf(name)]))
  }
  await Promise.all(names.map(send))
  const arrivals = await arrivalsAt(sink, prefix, names.length)
  const latencies = names.map(
    (name, n) => (arrivals.get(recipientOf(name).email) ?? Number.NaN) - performance.timeOrigin - plannedAt(n),
  )
  return resultOf(names.length, seconds * 1_000, latencies)
}

/** Waits until `count` e-mails have arrived; returns the times by recipient. */
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
function rateOf(arrivals: Map<string, number>): LoadResult {
  const times = [...arrivals.values()].sort((a, b) => a - b)
  const gaps = times.slice(1).map((at, index) => at - (times[index] as number))
  return resultOf(gaps.length, (times.at(-1) as number) - (times[0] as number), gaps)
}
