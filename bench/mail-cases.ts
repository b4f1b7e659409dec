import { setTimeout as sleep } from 'node:timers/promises'
import { apiOf } from '@gatehouse/test/harness/api.ts'
import { succeeded } from '@gatehouse/test/harness/call.ts'
import type { BackgroundLoad } from './background.ts'
import { type BenchCase, DRIVER } from './case.ts'
import { GUESTS, recipientOf } from './documents.ts'
import { type Environment, STORES } from './environment.ts'
import { makeEvent } from './event.ts'
import type { Job } from './job.ts'
import type { BenchPartner } from './workers/mailer.ts'

/* Cases of partners' invitations by e-mail. */

/** E-mails of a run, for each second of a case: as many as take about that long. */
const PER_SECOND = 1_000
const PARTNERS = 8
/** Recipients of one request. */
const INVITED_AT_ONCE = 1_000
const QUOTA = 1_000_000_000
/** Single invitations a second, and how much longer than other cases, since they are few. */
const SINGLE = { rate: 30, times: 4 }
/** The e-mails of another partner that wait meanwhile. */
const WAITING = 200_000
const SINK = 'smtp-sink'
const MAILING = ['partners', 'mail', 'guests', SINK, ...STORES]

let runs = 0
/** Recipients of different runs have different prefixes. */
const newPrefix = (): string => `run${runs++}`

/** All of them, each after the case that it is compared with. */
export const mailCases: BenchCase[] = [
  {
    name: 'insertMany 1,000 invitations',
    group: 'mail',
    processes: DRIVER,
    job: async (_, seconds) => ({ worker: 'driver', kind: 'invitations', size: INVITED_AT_ONCE, seconds }),
  },
  {
    name: '1,000 invitations accepted',
    group: 'mail',
    baseline: 'insertMany 1,000 invitations',
    processes: ['gateway', 'partners', ...STORES],
    job: async (environment, seconds) => {
      const [partner] = await openPartners(environment, 1)
      const request = { kind: 'invitations', path: `/api/v1/${partner?.batches}`, size: INVITED_AT_ONCE } as const
      return { worker: 'load', ...request, url: environment.url, connections: 2, seconds }
    },
  },
  {
    name: 'nodemailer and two writes',
    group: 'mail',
    processes: ['mailer', SINK, ...STORES],
    job: async ({ peers }, seconds) => {
      return {
        worker: 'mailer',
        kind: 'alone',
        sink: peers[SINK] ?? '',
        prefix: newPrefix(),
        count: PER_SECOND * seconds,
      }
    },
  },
  {
    name: `e-mails of ${PARTNERS} partners`,
    group: 'mail',
    baseline: 'nodemailer and two writes',
    processes: MAILING,
    job: async (environment, seconds) => {
      const { peers, url, system } = environment
      const prefix = newPrefix()
      const partners = await openPartners(environment, PARTNERS)
      const each = Math.ceil((PER_SECOND * seconds) / PARTNERS)
      // The number of the partner is part of each address.
      await Promise.all(partners.map((partner, n) => invite(environment, partner, `${prefix}-${n}`, each)))
      const sending = {
        kind: 'partners',
        sink: peers[SINK] ?? '',
        prefix,
        url,
        token: system.auth_token,
        partners,
      } as const
      return { worker: 'mailer', ...sending, count: each * PARTNERS }
    },
  },
  oneEmail('one e-mail'),
  { ...oneEmail(`one e-mail, ${WAITING} wait`), baseline: 'one e-mail', background: sendMany },
  { ...oneEmail(`one e-mail, a mailing to ${WAITING}`), baseline: 'one e-mail', background: sendMailing },
]

/** The time until a single e-mail is handed over. */
function oneEmail(name: string): BenchCase {
  return {
    name,
    group: 'mail',
    processes: ['gateway', ...MAILING],
    latency: true,
    times: SINGLE.times,
    job: async (environment, seconds) => {
      const { peers, url, api } = environment
      const [partner] = (await openPartners(environment, 1)) as [BenchPartner]
      await succeeded(api('PUT', partner.path, { disable_emails: false }))
      const sending = { kind: 'single', sink: peers[SINK] ?? '', prefix: newPrefix(), url, partner } as const
      return { worker: 'mailer', ...sending, rate: SINGLE.rate, seconds }
    },
  }
}

/** Opens partners with a campaign each, which may not send e-mails yet. */
async function openPartners({ event }: Environment, count: number): Promise<BenchPartner[]> {
  const { _id: event_id, create } = await event()
  const type = await create('invitation_types.json', { name: `Evening ${crypto.randomUUID()}` })
  const open = async (): Promise<BenchPartner> => {
    const { _id } = await create('partners.json', { name: `Acme ${crypto.randomUUID()}`, disable_emails: true })
    const terms = { partner_id: _id, quota: QUOTA }
    const campaign = await create(`invitation_types/${type._id}/partner_campaigns.json`, terms)
    const tokens = `partners/${_id}/partner_campaigns/${campaign._id}/partner_access_tokens.json`
    const { token } = await create(tokens, {})
    return {
      batches: `partners/${token}/invitations/batch_create.json`,
      path: `events/${event_id}/partners/${_id}.json`,
    }
  }
  return Promise.all(Array.from({ length: count }, open))
}

/** Invites `count` recipients, `<prefix>-<number>@example.org`. */
async function invite({ api }: Environment, { batches }: BenchPartner, prefix: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += INVITED_AT_ONCE) {
    const size = Math.min(INVITED_AT_ONCE, count - from)
    const recipients = Array.from({ length: size }, (_, index) => recipientOf(`${prefix}-${from + index}`))
    await succeeded(api('POST', batches, recipients, { token: '' }))
  }
}

const MANY = 'many'
let partnerOfMany: Promise<BenchPartner> | undefined

/** Lets a partner with very many waiting e-mails send them. */
async function sendMany(environment: Environment): Promise<BackgroundLoad> {
  const { api, peers } = environment
  partnerOfMany ??= openPartners(environment, 1).then(async ([partner]) => {
    await invite(environment, partner as BenchPartner, MANY, WAITING)
    return partner as BenchPartner
  })
  const { path } = await partnerOfMany
  const sends = (disable_emails: boolean) => succeeded(api('PUT', path, { disable_emails }))
  return whileSending(peers[SINK], MANY, { start: () => sends(false), stop: () => sends(true) })
}

let mailingToMany: Promise<(action: string) => Promise<unknown>> | undefined

/** Lets another account's mailing go to very many guests. */
async function sendMailing({ system, url, worker, peers }: Environment): Promise<BackgroundLoad> {
  mailingToMany ??= (async () => {
    const account = await system.account(`mailing-${crypto.randomUUID()}`)
    const run = async (job: Job): Promise<unknown> => (await worker(job.worker)).run(job)
    const api = apiOf(url, account.auth_token)
    const { create, _id: event_id } = await makeEvent(account, api, run, WAITING)
    const texts = { name: 'Codes', subject: 'Your code', message: 'Dear {{first_name}}, show this: {{uid}}' }
    const { _id } = await create('mailings.json', texts)
    const act = (action: string) => create(`mailings/${_id}/${action}.json`, {})
    await act('pause')
    await act('send')
    // A paused mailing gathers its recipients all the same.
    const mailing = `events/${event_id}/mailings/${_id}.json`
    while ((await succeeded(api('GET', mailing))).nb_recipients < WAITING) await sleep(1_000)
    return act
  })()
  const act = await mailingToMany
  return whileSending(peers[SINK], GUESTS, { start: () => act('resume'), stop: () => act('pause') })
}

/** Background work that sends e-mails, to addresses that begin with `prefix`. */
async function whileSending(
  sink: string | undefined,
  prefix: string,
  { start, stop }: Record<'start' | 'stop', () => Promise<unknown>>,
): Promise<BackgroundLoad> {
  const sent = async (): Promise<number> => {
    const { headers } = await fetch(new URL(`/${prefix}`, sink), { method: 'HEAD' })
    return Number(headers.get('arrivals'))
  }
  const before = await sent()
  await start()
  return async () => {
    const during = (await sent()) - before
    await stop()
    if (during === 0) throw new Error('the others’ e-mails were not sent')
    return { during, afterwards: 0, seconds: 0 }
  }
}
