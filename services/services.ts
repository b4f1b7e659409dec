import { type Resource, resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { Running } from '@gatehouse/proto/process/run.ts'
import * as badges from './badges/resources.ts'
import * as checkin from './checkin/resources.ts'
import * as guests from './guests/resources.ts'
import * as hooks from './hooks/resources.ts'
import * as leads from './leads/resources.ts'
import * as mail from './mail/resources.ts'
import * as partners from './partners/resources.ts'
import * as promo from './promo/resources.ts'
import * as sso from './sso/resources.ts'

/** The settings that hold credentials, besides `NATS_URL`, which every service takes. */
export type Credential =
  | 'MONGODB_URL'
  | 'REDIS_URL'
  | 'SECRETS_KEY'
  | 'SMTP_URL'
  | 'DKIM_PRIVATE_KEY'
  | 'MAIL_EVENTS_POSTMARK_LOGIN'
  | 'MAIL_EVENTS_DSN_SECRET'

interface Service {
  /** The heading of its resources in the API document. */
  title: string
  resources: readonly Resource[]
  /** The further credentials that its processes are started with. */
  credentials: readonly Credential[]
  /** What it does can wait: on a machine which it shares with others its processes give way to them. */
  isBackground?: true
}

/** All services, in the order of the API document. The name of a service is that of its folder. */
export const services = {
  guests: {
    title: 'Events and guests',
    resources: resourcesIn(guests),
    credentials: ['MONGODB_URL', 'REDIS_URL', 'SECRETS_KEY'],
  },
  checkin: { title: 'At the doors', resources: resourcesIn(checkin), credentials: ['MONGODB_URL', 'REDIS_URL'] },
  promo: { title: 'Discount codes', resources: resourcesIn(promo), credentials: ['MONGODB_URL'] },
  partners: {
    title: 'Partners',
    resources: resourcesIn(partners),
    credentials: ['MONGODB_URL', 'SECRETS_KEY', 'MAIL_EVENTS_POSTMARK_LOGIN', 'MAIL_EVENTS_DSN_SECRET'],
  },
  mail: {
    title: 'Mail',
    resources: resourcesIn(mail),
    credentials: ['REDIS_URL', 'SMTP_URL', 'DKIM_PRIVATE_KEY'],
    isBackground: true,
  },
  leads: { title: 'Exhibitors and leads', resources: resourcesIn(leads), credentials: ['MONGODB_URL', 'SECRETS_KEY'] },
  badges: {
    title: 'Badges and files',
    resources: resourcesIn(badges),
    credentials: ['MONGODB_URL', 'SECRETS_KEY'],
    isBackground: true,
  },
  hooks: {
    title: 'Webhooks',
    resources: resourcesIn(hooks),
    credentials: ['MONGODB_URL', 'SECRETS_KEY'],
    isBackground: true,
  },
  sso: {
    title: 'Account and single sign-on',
    resources: resourcesIn(sso),
    credentials: ['MONGODB_URL', 'SECRETS_KEY', 'SMTP_URL', 'DKIM_PRIVATE_KEY'],
  },
} satisfies Record<string, Service>

export type ServiceName = keyof typeof services

/** The names of all services. */
export const serviceNames = Object.keys(services) as ServiceName[]

/** Whether what a service does can wait. */
export function isBackground(name: ServiceName): boolean {
  return 'isBackground' in services[name]
}

/**
 * The services of each process where a small machine runs them all: the doors have one for themselves, and what can wait has one which gives way to
 * all others.
 */
export const sharedProcesses: readonly ServiceName[][] = [
  ['checkin'],
  serviceNames.filter((name) => name !== 'checkin' && !isBackground(name)),
  serviceNames.filter(isBackground),
]

/** The file, from the root of the repository, that a process of a service or of the gateway runs. */
export function mainOf(name: string): string {
  return name === 'gateway' ? 'gateway/main.ts' : `services/${name}/main.ts`
}

/** Starts a service within this process. */
export async function startService(name: ServiceName, config: object): Promise<Running> {
  const { start } = (await import(`./${name}/service.ts`)) as { start(config: object): Promise<Running> }
  return start(config)
}
