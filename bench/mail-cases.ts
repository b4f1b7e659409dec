import type { BackgroundLoad } from './background.ts'
import { type BenchCase, STORES } from './case.ts'
import type { MailJob } from './mailer.ts'
import { DRIVER } from './other-cases.ts'
import { allow, type BenchPartner, invite, openPartners } from './partners.ts'
import type { BenchWorld } from './world.ts'

/* Cases of partners' invitations by e-mail. */

/** Connections of one mail process to the mail server. */
const CONNECTIONS = 5
/** E-mails of a run, for each second of a case: as many as take about that long. */
const PER_SECOND = 1_000
/** Partners that have e-mails at once. */
const PARTNERS = 8
/** Single invitations: how many a second, and how much longer than other cases, since they are few. */
const SINGLE = { rate: 30, times: 4 }
/** The e-mails of another partner that wait meanwhile. */
const WAITING = 200_000

const OWN = ['partners', 'mail', 'guests', 'nats', 'smtp-sink', ...STORES]

let prefixes = 0
/** Recipients of different runs have different prefixes. */
function newPrefix(): string {
  return `run${prefixes++}`
}

/** Batches of recipients, of a partner who may not send yet. */
export function inviting(name: string, size: number): BenchCase[] {
  const floor = `insertMany ${name}`
  return [
    {
      name: floor,
      group: 'mail',
      processes: DRIVER,
      concurrency: 2,
      work: () => ({ kind: 'insertInvitations', size, concurrency: 2 }),
    },
    {
      name: `${name} accepted`,
      group: 'mail',
      baseline: floor,
      processes: ['gateway', 'partners', ...STORES],
      concurrency: 2,
      load: async (world) => {
        const [partner] = await openPartners(world, 1)
        return { kind: 'invite', path: (partner as BenchPartner).batches, size }
      },
    },
  ]
}

/** E-mails that nodemailer hands over alone, and which the system does, of several partners and of one. */
export function mailing(): BenchCase[] {
  const floor: BenchCase = {
    name: 'nodemailer',
    group: 'mail',
    processes: ['mailer', 'smtp-sink'],
    concurrency: CONNECTIONS,
    mails: async (_world, { 'smtp-sink': sink = '' }, { seconds }) => ({
      kind: 'nodemailer',
      sink,
      prefix: newPrefix(),
      count: PER_SECOND * seconds,
      connections: CONNECTIONS,
    }),
  }
  const stored: BenchCase = {
    ...floor,
    name: 'nodemailer and two writes',
    baseline: 'nodemailer',
    processes: ['mailer', 'smtp-sink', ...STORES],
    mails: async (...given) => ({
      ...((await floor.mails?.(...given)) as MailJob & { kind: 'nodemailer' }),
      kind: 'stored',
    }),
  }
  const several = ofPartners(`e-mails of ${PARTNERS} partners`, PARTNERS)
  return [floor, stored, several, ofPartners('e-mails of one partner', 1)]
}

function ofPartners(name: string, count: number): BenchCase {
  return {
    name,
    group: 'mail',
    baseline: 'nodemailer',
    processes: OWN,
    concurrency: CONNECTIONS,
    mails: async (world, { 'smtp-sink': sink = '' }, { seconds }) => {
      const prefix = newPrefix()
      const partners = await openPartners(world, count)
      const each = Math.ceil((PER_SECOND * seconds) / count)
      // The number of the partner is part of each address.
      await Promise.all(partners.map((partner, n) => invite(world.url, partner, `${prefix}-${n}`, each)))
      return { kind: 'partners', sink, prefix, url: world.url, partners, count: each * count }
    },
  }
}

/** The time until a single e-mail is handed over: while nothing else waits, and while very many of another partner do. */
export function waiting(): BenchCase[] {
  const baseline = 'one e-mail'
  const one: BenchCase = {
    name: baseline,
    group: 'mail',
    processes: ['gateway', ...OWN],
    concurrency: 1,
    latency: true,
    mails: async (world, { 'smtp-sink': sink = '' }, { seconds }) => {
      const [partner] = (await openPartners(world, 1)) as [BenchPartner]
      await allow(world.url, partner, true)
      return {
        kind: 'single',
        sink,
        prefix: newPrefix(),
        url: world.url,
        partner,
        rate: SINGLE.rate,
        seconds: SINGLE.times * seconds,
      }
    },
  }
  return [one, { ...one, name: `one e-mail, ${WAITING} wait`, baseline, background: beginCrowd }]
}

const CROWD = 'crowd'
let crowd: BenchPartner | undefined

/** Lets a partner with very many waiting e-mails send them. */
async function beginCrowd(
  world: BenchWorld,
  { 'smtp-sink': sink = '' }: Record<string, string>,
): Promise<BackgroundLoad> {
  if (!crowd) {
    const [partner] = (await openPartners(world, 1)) as [BenchPartner]
    await invite(world.url, partner, CROWD, WAITING)
    crowd = partner
  }
  const sent = async (): Promise<number> => {
    const { headers } = await fetch(new URL(`/${CROWD}`, sink), { method: 'HEAD' })
    return Number(headers.get('arrivals'))
  }
  const current = crowd
  const before = await sent()
  await allow(world.url, current, true)
  return async () => {
    const during = (await sent()) - before
    await allow(world.url, current, false)
    if (during === 0) throw new Error('the e-mails of the other partner were not sent')
    return { during, afterwards: 0, seconds: 0 }
  }
}
