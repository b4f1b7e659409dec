import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A user and a group, by number. */
export interface UserIds {
  uid: number
  gid: number
}

/** The user of a process. */
export interface User extends UserIds {
  /** Whether it may listen on ports below 1024. */
  lowPorts?: boolean
}

/** The working directory of a process, by a name that works although its user may not enter the folders above. */
export const HERE = '/proc/self/cwd'

const numbered = (id: number): User => ({ uid: id, gid: id })

/**
 * Users without any rights. Debian never assigns these ids. `nobody` would not do, since other programs run as it too, and processes of one user can
 * read each other's environment.
 */
const USERS = { services: numbered(65_432), nats: numbered(65_431), redis: numbered(65_430), mongodb: numbered(65_429) }

/** Whether this process can start processes as other users. */
export function isRoot(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0
}

/** The user of a kind of processes if this one is root; otherwise undefined: they run as this user. */
export function userOf(kind: keyof typeof USERS): User | undefined {
  return isRoot() ? USERS[kind] : undefined
}

/** The arguments of setpriv to run a process as a user, irrevocably. */
export function setprivArguments({ uid, gid, lowPorts = false }: User): string[] {
  const capability = '+net_bind_service'
  return [
    ...['--reuid', String(uid), '--regid', String(gid), '--clear-groups', '--no-new-privs'],
    ...(lowPorts ? ['--inh-caps', capability, '--ambient-caps', capability] : []),
  ]
}

/** Whether a user can read these files; needs root. */
export async function canRead(user: User, files: readonly string[]): Promise<boolean> {
  const check = 'for file; do [ -r "$file" ] || exit 1; done'
  return promisify(execFile)('setpriv', [...setprivArguments(user), 'sh', '-c', check, 'sh', ...files]).then(
    () => true,
    () => false,
  )
}
