import { type NatsPermissions, natsPermissions } from '@gatehouse/proto/permissions/nats-permissions.ts'
import type { Permissions } from '@gatehouse/proto/permissions/permissions.ts'
import { permissions as cli } from '../cli/permissions.ts'
import { permissions as gateway } from '../gateway/permissions.ts'
import { permissions as badges } from './badges/permissions.ts'
import { permissions as checkin } from './checkin/permissions.ts'
import { permissions as guests } from './guests/permissions.ts'
import { permissions as hooks } from './hooks/permissions.ts'
import { permissions as leads } from './leads/permissions.ts'
import { permissions as mail } from './mail/permissions.ts'
import { permissions as partners } from './partners/permissions.ts'
import { permissions as promo } from './promo/permissions.ts'
import type { ServiceName } from './services.ts'
import { permissions as sso } from './sso/permissions.ts'

/** A user of the bus: a kind of process. */
export type BusUser = ServiceName | 'gateway' | 'cli'

/** All users of the bus, with what they say and hear there. */
export const busUsers: Record<BusUser, Permissions> = {
  gateway,
  guests,
  checkin,
  promo,
  partners,
  mail,
  leads,
  badges,
  hooks,
  sso,
  cli,
}

/** The permissions of the NATS users of a system, by name. */
export function natsUsersOf(namespace: string): Record<BusUser, NatsPermissions> {
  const users = Object.entries(busUsers).map(([name, permissions]) => [
    name,
    natsPermissions(name, permissions, namespace),
  ])
  return Object.fromEntries(users)
}
