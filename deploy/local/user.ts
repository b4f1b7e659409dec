import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A user and a group, by number. */
export interface Owner {
  uid: number
  gid: number
}

/** Whom a process runs as. */
export interface User extends Owner {
  /** Whether it may listen on ports below 1024. */
  lowPorts?: boolean
}

const numbered = (id: number): User => ({ uid: id, gid: id })

/**
 * Users without any rights: nobody else has these ids, of which Debian gives none away. Not `nobody`, whom others run as too: processes of one
 * user can read each other's environment.
 */
const USERS = { services: numbered(65_432), nats: numbered(65_431), redis: numbered(65_430), mongodb: numbered(65_429) }

/** Whether this process can start others as another user. */
export function isRoot(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0
}

/** Whom processes of a kind run as where this one is root; otherwise nobody else than this one. */
export function userOf(kind: keyof typeof USERS): User | undefined {
  return isRoot() ? USERS[kind] : undefined
}

/** The arguments of setpriv that make a process run as a user, for good. */
export function setprivArguments({ uid, gid, lowPorts = false }: User): string[] {
  const capability = '+net_bind_service'
  return [
    ...['--reuid', String(uid), '--regid', String(gid), '--clear-groups', '--no-new-privs'],
    ...(lowPorts ? ['--inh-caps', capability, '--ambient-caps', capability] : []),
  ]
}

/** Whether a user can read these files; root asks. */
export async function canRead(user: User, files: readonly string[]): Promise<boolean> {
  const check = 'for file; do [ -r "$file" ] || exit 1; done'
  return promisify(execFile)('setpriv', [...setprivArguments(user), 'sh', '-c', check, 'sh', ...files]).then(
    () => true,
    () => false,
  )
}
