import type { NatsPermissions } from '@gatehouse/proto/declaring/permissions/nats-permissions.ts'
import type { StoreUsers } from './store-users.ts'
import type { SuperviseLog } from './supervise.ts'

/** Paths of this machine's programs. With a mongod PostgreSQL is not needed; with all three, no package is. */
export interface OwnPrograms {
  mongod?: string | undefined
  nats?: string | undefined
  redis?: string | undefined
}

/** How to start a stack. */
export interface StackOptions {
  /** The folder of data and state; created if missing. */
  dataDir: string
  /** `stop` deletes `dataDir`. Answered writes are durable all the same. */
  throwAway?: boolean
  /** Whether answered writes are on disk. Without it they outlive each process, but not a crash of the machine. Default: true. */
  syncs?: boolean
  /** Programs to run instead of those of the packages. */
  programs?: OwnPrograms
  /** Which of the servers to run, in this order. Default: all. */
  servers?: readonly StoreName[]
  /** PostgreSQL sessions at most. Default: those of the MongoDB wire server. */
  sessions?: number
  /** The NATS users with what they may do; default: `cli`, which may do everything. */
  natsUsers?: NatsUsers
  /** The users of MongoDB and Redis besides those of `mongodbUrl` and `redisUrl`, who may use everything. */
  storeUsers?: StoreUsers
  log?: SuperviseLog
}

/** NATS users by name. One without permissions may do everything. */
export type NatsUsers = { cli: NatsPermissions | undefined } & Record<string, NatsPermissions | undefined>

/** A server of the stack. */
export type StoreName = 'mongodb' | 'nats' | 'redis'

/** The one user `cli`, who may do everything. */
export const EVERYTHING: NatsUsers = { cli: undefined }
