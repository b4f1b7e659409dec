import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Owner } from './private-files.ts'

/** Whom a process runs as. */
export interface User extends Owner {
  /** Whether it may listen on ports below 1024. */
  lowPorts?: boolean
}

/**
 * A user without any rights: nobody else has these ids, of which Debian gives none away. Not `nobody`, whom others run as too: processes of one
 * user can read each other's environment.
 */
export const UNPRIVILEGED: User = { uid: 65_432, gid: 65_432 }

const SETPRIV = '/usr/bin/setpriv'

/** Whether processes can be tied to this one, and run as another user. */
export function hasSetpriv(): boolean {
  return process.platform === 'linux' && existsSync(SETPRIV)
}

/** The arguments of setpriv that make a process run as a user, for good. */
export function setprivArguments({ uid, gid, lowPorts = false }: User): string[] {
  const capability = '+net_bind_service'
  return [
    ...['--reuid', String(uid), '--regid', String(gid), '--clear-groups', '--no-new-privs'],
    ...(lowPorts ? ['--inh-caps', capability, '--ambient-caps', capability] : []),
  ]
}

/** Whether this process may start others as a user, who can read these files then. */
export async function canRead(user: User, files: readonly string[]): Promise<boolean> {
  const check = 'for file; do [ -r "$file" ] || exit 1; done'
  return promisify(execFile)('setpriv', [...setprivArguments(user), 'sh', '-c', check, 'sh', ...files]).then(
    () => true,
    () => false,
  )
}
