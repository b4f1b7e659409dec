import { type NatsPermissions, natsPermissions } from '@gatehouse/proto/declaring/permissions/nats-permissions.ts'
import { askedSubjects, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { announcementSubject } from '@gatehouse/proto/declaring/topic.ts'
import { permissions as cli } from '../cli/permissions.ts'
import { permissions as gateway } from '../gateway/permissions.ts'
import { type ServiceName, serviceNames } from './services.ts'

/** A user of the bus: a kind of process. */
export type BusUser = ServiceName | 'gateway' | 'cli'

/** All users of the bus, with what they say and hear there. */
export const busUsers: Record<BusUser, Permissions> = {
  gateway,
  ...(Object.fromEntries(await Promise.all(serviceNames.map(permissionsOf))) as Record<ServiceName, Permissions>),
  cli,
}

async function permissionsOf(name: ServiceName): Promise<[ServiceName, Permissions]> {
  const { permissions } = (await import(`./${name}/permissions.ts`)) as { permissions: Permissions }
  return [name, permissions]
}

/** The permissions of the NATS users of a system, by name. `cells` are the namespaces of the other cells. */
export function natsUsersOf(namespace: string, cells: readonly string[] = []): Record<BusUser, NatsPermissions> {
  const users = Object.entries(busUsers).map(([name, permissions]) => [
    name,
    natsPermissions(name, permissions, namespace, cells),
  ])
  return Object.fromEntries(users)
}

/**
 * What a cell says to others and hears from them, over a connection between their NATS servers (docs/adr/0022): requests of gateways and of the
 * command line with their answers, and what gateways listen to. Nothing else leaves a cell.
 */
export function linkPermissions(namespace: string, cells: readonly string[]): NatsPermissions {
  const users = Object.values(busUsers)
  const asked = users.flatMap(({ asksCells = [] }) => askedSubjects({ asks: asksCells }))
  const heard = users.flatMap(({ hearsCells, listens = [] }) => (hearsCells ? listens.map(announcementSubject) : []))
  const of = (cell: string, subjects: string[]): string[] => subjects.map((subject) => `${cell}.${subject}`)
  // Of gateways, and of services that take the parts of long bodies.
  const inboxes = (cell: string): string => `_INBOX.${cell}.>`
  return {
    publish: [...new Set([...cells.flatMap((cell) => [inboxes(cell), ...of(cell, asked)]), ...of(namespace, heard)])],
    subscribe: [...new Set([...of(namespace, asked), inboxes(namespace), ...cells.flatMap((cell) => of(cell, heard))])],
  }
}

/**
 * The permissions of the NATS user by whom operators look at a system's streams and delete them (docs/operations.md). Answers go to
 * `_INBOX.<namespace>.operator`: anywhere else it could read those to others.
 */
export function operatorPermissions(namespace: string): NatsPermissions {
  const streams = Object.values(busUsers).flatMap(({ streams = [] }) => streams.map(({ stream }) => stream))
  const ofStream = [
    ...['INFO', 'UPDATE', 'PURGE', 'DELETE'].map((verb) => `STREAM.${verb}.%`),
    ...['NAMES.%', 'LIST.%', 'INFO.%.*', 'DELETE.%.*'].map((request) => `CONSUMER.${request}`),
  ]
  const requests = [
    ...['INFO', 'STREAM.NAMES', 'STREAM.LIST'],
    ...[...new Set(streams)].flatMap((stream) => ofStream.map((each) => each.replace('%', `${namespace}_${stream}`))),
  ]
  return {
    publish: requests.map((request) => `$JS.API.${request}`),
    subscribe: [`_INBOX.${namespace}.operator.>`],
  }
}
