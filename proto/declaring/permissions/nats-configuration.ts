import type { NatsPermissions } from './nats-permissions.ts'

/** A user of a NATS server. */
export interface NatsUser {
  name: string
  /** A value of NATS' configuration: a quoted text, or `$NAME` for a variable of the server's environment. */
  password: string
  /** Everything if omitted. */
  permissions?: NatsPermissions | undefined
}

/**
 * The part of a NATS server's configuration that says who may connect and do what. With `account` the users share an account of this name, which
 * has JetStream; otherwise the server's only one.
 */
export function natsConfiguration(users: readonly NatsUser[], account?: string): string {
  const list = users.map(userLines).join('\n')
  // On a busy machine a process may be slow to say who it is.
  const timeout = 'timeout: 10'
  if (account === undefined) return `authorization {\n  ${timeout}\n  users: [\n${list}\n  ]\n}\n`
  return `authorization { ${timeout} }\naccounts {\n ${account}: {\n  jetstream: enabled\n  users: [\n${list}\n  ]\n }\n}\n`
}

function userLines({ name, password, permissions }: NatsUser): string {
  const who = `user: ${name}, password: ${password}`
  if (!permissions) return `    { ${who} }`
  const { publish, subscribe } = permissions
  return `    { ${who}, permissions: {
      publish: { allow: ${listOf(publish)} }
      subscribe: { allow: ${listOf(subscribe)} }
    } }`
}

function listOf(subjects: readonly string[]): string {
  return `[\n${subjects.map((subject) => `        ${JSON.stringify(subject)}`).join('\n')}\n      ]`
}
