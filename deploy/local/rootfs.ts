import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, statfs, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { LocalStackError } from './failure.ts'
import { takeLock } from './lock.ts'

/** Part of the folder's name: another list of packages or another way of building is another rootfs. */
const VERSION = 'forky-1'
const RELEASE = 'forky'
const PACKAGES = ['postgresql-18', 'postgresql-18-documentdb', 'nats-server', 'redis-server']
const NEEDED_BYTES = 2 * 1024 ** 3
const LONGEST_WAIT_S = 900

/** The folder that rootfses are kept in. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gatehouse')
}

/**
 * Gives the folder of a Debian with the three servers in it, building it the first time (about a minute, 1 GB). Several callers at once
 * build it once. Throws {@link LocalStackError} when it can't be had.
 */
export async function ensureRootfs(options: { log: (line: string) => void }): Promise<string> {
  const rootfs = join(cacheFolder(), `rootfs-${VERSION}`)
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new LocalStackError(
      'The local servers need Linux and root (they run from a small Debian of their own); otherwise use Docker, or set MONGODB_URL, NATS_URL and REDIS_URL.',
    )
  if (existsSync(rootfs)) return rootfs
  await mkdir(cacheFolder(), { recursive: true })
  const lockFile = join(cacheFolder(), 'rootfs.lock')
  let lock = await takeLock(lockFile, 0)
  if (!lock) {
    options.log('Another process is building the local servers; waiting for it.')
    lock = await takeLock(lockFile, LONGEST_WAIT_S)
  }
  if (!lock) throw new LocalStackError(`Another build of the local servers holds ${lockFile} for too long.`)
  try {
    if (!existsSync(rootfs)) await build(rootfs, options.log)
    return rootfs
  } finally {
    await lock.release()
  }
}

async function build(rootfs: string, log: (line: string) => void): Promise<void> {
  const partial = `${rootfs}.partial`
  await discard(partial)
  const { bavail, bsize } = await statfs(cacheFolder())
  if (bavail * bsize < NEEDED_BYTES)
    throw new LocalStackError(
      `The local servers need 2 GB in ${cacheFolder()}, which has ${((bavail * bsize) / 1024 ** 3).toFixed(1)} GB free.`,
    )
  const started = Date.now()
  const logFile = join(cacheFolder(), 'rootfs-build.log')
  await writeFile(logFile, '')
  if (!existsSync('/usr/sbin/debootstrap')) await installDebootstrap(log, logFile)

  log('First start: fetching PostgreSQL with DocumentDB, NATS and Redis from Debian (about a minute, 1 GB).')
  const mirror = await debianMirror()
  const end = await runScript(BUILD, [partial, mirror, RELEASE, await proxySettings(), ...PACKAGES], logFile)
  if (end !== 0) {
    const told = explain(await readFile(logFile, 'utf8'))
    await discard(partial)
    throw new LocalStackError(`The local servers could not be built: ${told} (All of it: ${logFile})`)
  }
  await rename(partial, rootfs)
  log(`The local servers are in ${rootfs} (${Math.round((Date.now() - started) / 1000)} s).`)
}

async function installDebootstrap(log: (line: string) => void, logFile: string): Promise<void> {
  log('Installing debootstrap, which makes a small Debian to run the servers from.')
  const end = await runScript(INSTALL_DEBOOTSTRAP, [], logFile).catch(() => 1)
  if (end !== 0)
    throw new LocalStackError(
      `debootstrap is missing and apt-get could not install it: ${explain(await readFile(logFile, 'utf8'))}`,
    )
}

const INSTALL_DEBOOTSTRAP = `set -e
export DEBIAN_FRONTEND=noninteractive
apt-get install -y --no-install-recommends debootstrap || {
  apt-get update
  apt-get install -y --no-install-recommends debootstrap
}`

/**
 * Runs in mount and process namespaces of its own: mounts and processes end with it, however it ends. Services must not start in there
 * (policy-rc.d), no cluster is wanted (ours is made elsewhere), nobody reads manuals there, and a half-written rootfs is thrown away
 * anyway, so dpkg need not sync.
 */
const BUILD = `set -e
root=$1 mirror=$2 release=$3 proxies=$4
shift 4
echo "step: base system"
debootstrap --variant=minbase "$release" "$root" "$mirror" /usr/share/debootstrap/scripts/sid
mount -t proc proc "$root/proc"
mount -t devpts devpts "$root/dev/pts"
printf '#!/bin/sh\\nexit 101\\n' > "$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
mkdir -p "$root/etc/postgresql-common" "$root/etc/dpkg/dpkg.cfg.d"
echo 'create_main_cluster = false' > "$root/etc/postgresql-common/createcluster.conf"
printf 'force-unsafe-io\\npath-exclude=/usr/share/doc/*\\npath-exclude=/usr/share/man/*\\npath-exclude=/usr/share/locale/*\\n' > "$root/etc/dpkg/dpkg.cfg.d/small"
{ echo 'Acquire::Check-Valid-Until "false";'; echo "$proxies"; } > "$root/etc/apt/apt.conf.d/90build"
cp /etc/hosts "$root/etc/hosts" || true
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
chroot "$root" apt-get update
echo "step: servers"
chroot "$root" apt-get install -y --no-install-recommends "$@"
chroot "$root" apt-get clean
rm -rf "$root/var/lib/apt/lists"
mkdir -p "$root/srv"
sync -f "$root"
umount "$root/dev/pts" "$root/proc"`

/** Runs a shell script whose whole output goes to the log file; on a terminal the last line shows what it is at. */
async function runScript(script: string, args: string[], logFile: string): Promise<number> {
  const child = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc'],
      ...['--propagation', 'private', 'sh', '-c', `exec 2>&1\n${script}`, 'sh', ...args],
    ],
    { detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines: string[] = []
  const terminal = process.stderr.isTTY
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    if (terminal) process.stderr.write(`\r\x1b[K  ${line.slice(0, (process.stderr.columns ?? 80) - 4)}`)
  })
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve(status ?? 1))
  })
  if (terminal) process.stderr.write('\r\x1b[K')
  await writeFile(logFile, `${lines.join('\n')}\n`, { flag: 'a' })
  return code
}

/** The most telling line of a failed build, as the end of a sentence. */
function explain(output: string): string {
  const lines = output.split('\n').filter(Boolean)
  if (/No space left on device/.test(output)) return 'the disk is full.'
  const network =
    /Failed getting release file|Couldn't download|Unable to fetch|Temporary failure resolving|Could not resolve|Unable to connect/
  const line = lines.findLast((candidate) => network.test(candidate))
  if (line) return `Debian's mirror can't be reached (${line.trim()}).`
  if (/unshare.*Operation not permitted|mount:.*(denied|not permitted)/.test(output))
    return 'this machine does not let root mount or make namespaces (an unprivileged container?).'
  return lines.findLast((candidate) => /^(E:|W:|dpkg: error)/.test(candidate)) ?? lines.at(-1) ?? 'no output.'
}

/** The mirror that this machine itself installs Debian from; empty, debootstrap's own default, on another system. */
async function debianMirror(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  if (!/^ID=debian$/m.test(release)) return ''
  const codename = /^VERSION_CODENAME=(\S+)$/m.exec(release)?.[1]
  const folder = '/etc/apt/sources.list.d'
  const files = (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
  for (const file of ['/etc/apt/sources.list', ...files]) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const found = file.endsWith('.sources') ? mirrorOfStanzas(text, codename) : mirrorOfLines(text, codename)
    if (found) return found
  }
  return ''
}

function mirrorOfStanzas(text: string, codename: string | undefined): string | undefined {
  for (const stanza of text.split(/\n\s*\n/)) {
    const field = (name: string) => new RegExp(`^${name}:\\s*(.+)$`, 'mi').exec(stanza)?.[1]?.split(/\s+/) ?? []
    if (field('Enabled')[0] === 'no') continue
    if (field('Components').includes('main') && codename && field('Suites').includes(codename)) return field('URIs')[0]
  }
  return undefined
}

function mirrorOfLines(text: string, codename: string | undefined): string | undefined {
  for (const line of text.split('\n')) {
    const [, uri, suite, components] = /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+(.+)$/.exec(line) ?? []
    if (suite && suite === codename && components?.split(/\s+/).includes('main')) return uri
  }
  return undefined
}

/** The proxies that this machine's apt is set up with, in apt's own words. */
async function proxySettings(): Promise<string> {
  const child = spawn('apt-config', ['dump'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout }))
    if (/^Acquire::.*Proxy/i.test(line)) lines.push(line)
  return lines.join('\n')
}

/** Deletes a folder, first freeing it of mounts that a build killed in the middle may have left; never reaches into another file system. */
async function discard(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8'))
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((point) => point.startsWith(`${folder}/`))
  for (const point of mounts.reverse()) await run('umount', ['--lazy', point])
  await run('rm', ['-rf', '--one-file-system', folder])
}

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const words: string[] = []
  for await (const line of createInterface({ input: child.stderr })) words.push(line)
  const code =
    child.exitCode ?? (await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1))))
  if (code !== 0) throw new LocalStackError(`${command} ${args.join(' ')} failed: ${words.join(' ')}`)
}
