import { type Action, type Resource, subjectOf } from '../resource.ts'
import type { Topic } from '../topic.ts'

/**
 * What a process says and hears on the bus, besides serving its own resources. The bus refuses the process everything else (bus.ts), and so does
 * NATS, by users that follow from it (nats-permissions.ts). docs/protocol.md shows all in a table.
 */
export interface Permissions {
  /** Resources, or parts of them ({@link asking}), whose actions it calls; and single subjects: `hooks.wanted`. */
  asks: readonly (Resource | string)[]
  announces?: readonly Topic[]
  listens?: readonly Topic[]
  streams?: readonly StreamPermissions[]
  /** What it asks of the other cells of an installation too. */
  asksCells?: readonly (Resource | string)[]
  /** It hears what it listens to in the other cells, too. */
  hearsCells?: true
}

/** What a process does with a JetStream stream. */
export interface StreamPermissions {
  /** Its name in JetStream is `<namespace>_<stream>`. */
  stream: string
  /** It creates the stream if it is missing. */
  creates?: true
  /** It publishes to this subject, which begins with the namespace: `<namespace>.domain.*`. */
  publishes?: string
  /** It creates these durable consumers if they are missing, and works for them. */
  consumes?: readonly string[]
  /** It reads single messages. */
  gets?: true
  /** It reads the stream by consumers of its own, without acknowledgements. */
  reads?: true
}

/** The part of a resource that a process asks: only these actions, for `clientOf`. */
export function asking<A extends Record<string, Action>, N extends keyof A & string>(
  resource: Resource<A>,
  ...names: [N, ...N[]]
): Resource<Pick<A, N>> {
  const actions = Object.fromEntries(names.map((name) => [name, resource.actions[name]])) as Pick<A, N>
  return { ...resource, actions }
}

/** The subjects of the actions that a process asks, without the namespace. */
export function askedSubjects({ asks }: Pick<Permissions, 'asks'>): string[] {
  return asks.flatMap((each) =>
    typeof each === 'string' ? [each] : Object.keys(each.actions).map((name) => subjectOf(each, name)),
  )
}
