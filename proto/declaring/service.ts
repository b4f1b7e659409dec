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

/** A queue of JetStream by whose length a process is scaled. */
export interface Queue {
  /** The stream's name, without the namespace in front. */
  stream: string
  consumer: string
  /** Messages which one process works off soon enough. */
  perProcess: number
}

/** How much a process gets on Kubernetes, and how often it runs. */
export interface Size {
  /** Part of a processor that it is sure of. There is no limit: a throttled process delays whoever waits for its answer. */
  cpu: `${number}m`
  /** MiB that it is sure of: what it holds under load. It may take twice as many, for large bodies. */
  memory: number
  /** Processes in production at least and at most; between them by `queue`, else by the processor. */
  processes: readonly [number, number]
  queue?: Queue
  /** What of the Internet it reaches: these ports, or every port. */
  internet?: readonly number[] | 'every port'
}

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
  /** What operators have to provide, for docs/operations.md. */
  needs: string
  size: Size
}
