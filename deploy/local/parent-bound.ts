import { existsSync } from 'node:fs'
import { setprivArguments, type User } from './user.ts'

/** A command line. */
export interface CommandLine {
  command: string
  args: string[]
}

/** Makes a process die with its parent, even after kill -9; it does not start if the parent is gone before the kernel has noted that. */
const BOUND = ['--pdeathsig', 'KILL', 'sh', '-c', '[ "$PPID" = "$0" ] || exit 1; exec "$@"', String(process.pid)]

/** Whether processes can be bound to this one and run as another user. */
function canBind(): boolean {
  return process.platform === 'linux' && existsSync('/usr/bin/setpriv')
}

/** Returns the command line of a process that dies with this one and runs as a user, by default as this one. Every step is an exec: it keeps its process id. */
export function boundToParent(command: string, args: readonly string[], user?: User): CommandLine {
  // Elsewhere, only an orderly stop ends the processes.
  if (!canBind()) return { command, args: [...args] }
  return { command: 'setpriv', args: [...(user ? setprivArguments(user) : []), ...BOUND, command, ...args] }
}
