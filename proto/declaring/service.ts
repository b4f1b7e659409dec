import type { Resource } from './resource.ts'

/** The settings that hold credentials, besides `NATS_URL`, which every service takes. */
export type Credential =
  | 'MONGODB_URL'
  | 'REDIS_URL'
  | 'SECRETS_KEY'
  | 'SMTP_URL'
  | 'DKIM_PRIVATE_KEY'
  | 'MAIL_EVENTS_POSTMARK_LOGIN'
  | 'MAIL_EVENTS_DSN_SECRET'

/** What others know of a service. Its name is that of its folder. */
export interface ServiceDeclaration {
  /** The heading of its resources in the API document. */
  title: string
  resources: readonly Resource[]
  /** The further credentials that its processes are started with. */
  credentials: readonly Credential[]
  /** With `REDIS_URL`: the patterns of its keys, without the namespace in front. */
  redisKeys?: readonly string[]
  /** What it does can wait: on a machine that it shares with others its processes give way to them. */
  isBackground?: true
  /** What it reaches of the Internet. */
  internet?: 443 | 'every port'
}
