import { readlinkSync } from 'node:fs'
import { execute } from '@gatehouse/local/execute'
import { ensurePackages, programOnPath } from '@gatehouse/local/packages'
import { isRoot } from '@gatehouse/local/user'
import { clockLibrary } from './clock.ts'

/** The exit code of a command that lacks something, as in sysexits.h. */
export const UNAVAILABLE = 69

/** The variable that names the network namespace that this process has left. */
const LEFT = 'DRILL_LEFT_NETWORK'
const PROGRAMS = ['ip', 'iptables', 'nsenter', 'setpriv', 'unshare']
/** A card and a rule like those of hosts, which not every kernel has. */
const TRIAL =
  'ip link add trial type vxlan id 1 remote 10.0.0.1 dstport 4789 && ip link add one type veth peer name other && iptables -t mangle -A POSTROUTING -o trial -j CHECKSUM --checksum-fill'

/** What this machine lacks to make hosts; undefined if nothing. */
export async function lackingForHosts(): Promise<string | undefined> {
  if (!isRoot()) return 'it needs root on Linux, to make network namespaces'
  const missing = PROGRAMS.filter((name) => !programOnPath(name))
  if (missing.length > 0) return `it needs ${missing.join(', ')}: install iproute2, iptables and util-linux`
  return execute('unshare', ['--net', '--', 'sh', '-c', TRIAL]).then(
    () => undefined,
    (error: Error) => `this kernel can't make hosts: ${error.message}`,
  )
}

/**
 * Puts this process into a network namespace of its own, which nothing leads out of, and which ends with it: the same command runs from its beginning
 * there. First fetches what it could not fetch there.
 */
export async function isolate(say: (line: string) => void): Promise<void> {
  const network = readlinkSync('/proc/self/ns/net')
  const { [LEFT]: left = network } = process.env
  if (left !== network) return
  await ensurePackages(say)
  await clockLibrary(say)
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const env = { ...process.env, [LEFT]: network }
  process.execve?.(programOnPath('unshare') as string, ['unshare', '--net', '--', ...command], env)
}
