import { globSync } from 'node:fs'
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execute } from './execute.ts'
import { LocalStackError } from './failure.ts'
import type { Platform } from './platform.ts'

/** An apt that needs no root: its folders are in one of ours, and it knows no installed packages. Proxies and trusted keys are the machine's. */
export interface Apt {
  /** Downloads packages with their dependencies, except those that match `unused`, and returns their files, which apt has verified. */
  download(packages: readonly string[], unused: RegExp): Promise<string[]>
}

/** A source of packages and its signing keys; default: the keys that the machine trusts. */
interface Archive {
  mirror: string
  keyring: string | undefined
}

/** Sets up an apt for a release of Debian in a folder, and fetches its lists. */
export async function debianApt(folder: string, release: string, platform: Platform): Promise<Apt> {
  const { mirror, keyring } = await findArchive(folder, platform)
  const source = `deb ${keyring ? `[signed-by=${keyring}] ` : ''}${mirror} ${release} main\n`
  return await makeApt(join(folder, 'apt'), platform, source)
}

/** Default: the machine's own sources. */
async function makeApt(folder: string, platform: Platform, source?: string): Promise<Apt> {
  const archives = join(folder, 'archives')
  for (const each of [archives, join(folder, 'state/lists/partial'), join(folder, 'cache/archives/partial')])
    await mkdir(each, { recursive: true })
  await writeFile(join(folder, 'status'), '')
  await writeFile(join(folder, 'sources.list'), source ?? '')
  const configuration = join(folder, 'apt.conf')
  await writeFile(configuration, await configurationOf(folder, platform, source !== undefined))
  const aptGet = (...args: string[]) =>
    execute('apt-get', ['--quiet', ...args], { cwd: archives, env: { APT_CONFIG: configuration } })

  // By default a list that cannot be fetched is only a warning.
  await aptGet('--option', 'APT::Update::Error-Mode=any', 'update')
  return {
    download: async (packages, unused) => {
      const planned = await aptGet('install', '--yes', '--no-install-recommends', '--print-uris', ...packages)
      const names = [...planned.matchAll(/^'\S+' ([^_]+)_/gm)].map(([, name = '']) => name)
      await aptGet('download', ...names.filter((name) => !unused.test(name)))
      return (await readdir(archives)).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name))
    },
  }
}

/** Only the machine's settings of transfers (proxies, certificates) are used. */
async function configurationOf(folder: string, { debian }: Platform, hasSource: boolean): Promise<string> {
  const machine = (await execute('apt-config', ['dump'])).split('\n')
  const transfers = machine.filter((line) => /^Acquire::(?!Languages|IndexTargets|AllowInsecure|AllowWeak)/.test(line))
  const sources = `Dir::Etc::sourcelist "${folder}/sources.list";
Dir::Etc::sourceparts "/dev/null";
`
  return `${transfers.join('\n')}
Acquire::Languages "none";
APT::Architecture "${debian}";
APT::Architectures "${debian}";
Dir::State "${folder}/state";
Dir::State::status "${folder}/status";
Dir::Cache "${folder}/cache";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
${hasSource ? sources : ''}`
}

/** The mirror of DEBIAN_MIRROR, that of this machine's own Debian, or debootstrap's default. */
async function findArchive(folder: string, platform: Platform): Promise<Archive> {
  const mirror = process.env.DEBIAN_MIRROR || (await ownMirror())
  const keyring = await debianKeyring('/')
  if (mirror && keyring) return { mirror, keyring }
  const tools = await debianTools(folder, platform)
  return { mirror: mirror ?? (await defaultMirror(tools)), keyring: await debianKeyring(tools) }
}

/** The mirror of this machine's Debian; undefined on another system. */
async function ownMirror(): Promise<string | undefined> {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '')
  if (!/^ID=debian$/m.test(system)) return undefined
  const suites = ['stable', 'testing', 'unstable', 'sid', /^VERSION_CODENAME=(\S+)$/m.exec(system)?.[1]]
  const planned = await execute('apt-get', ['update', '--print-uris'])
  const mirrors = [...planned.matchAll(/^'(\S+)\/dists\/([^/]+)\/main\//gm)].flatMap(([, uri, suite]) =>
    uri && suites.includes(suite) ? [uri] : [],
  )
  return mirrors.find((uri) => uri.includes('debian')) ?? mirrors[0]
}

async function debianKeyring(root: string): Promise<string | undefined> {
  for (const ending of ['gpg', 'pgp']) {
    const keyring = join(root, `usr/share/keyrings/debian-archive-keyring.${ending}`)
    const isThere = await access(keyring).then(
      () => true,
      () => false,
    )
    if (isThere) return keyring
  }
  return undefined
}

/** Unpacks debootstrap and Debian's keys, which relatives of Debian package too, and returns the folder. */
async function debianTools(folder: string, platform: Platform): Promise<string> {
  const apt = await makeApt(join(folder, 'own-apt'), platform)
  const tools = join(folder, 'tools')
  const isOther = /^(?!debootstrap$|debian-archive-keyring$)/
  for (const file of await apt.download(['debootstrap', 'debian-archive-keyring'], isOther))
    await execute('dpkg-deb', ['--extract', file, tools])
  return tools
}

async function defaultMirror(tools: string): Promise<string> {
  for (const file of globSync(join(tools, 'usr/{sbin,share/debootstrap}/{debootstrap,functions}'))) {
    const found = /^DEF_MIRROR="?(\w+:\/\/[^"\s]+\/debian)\/?"?$/m.exec(await readFile(file, 'utf8'))?.[1]
    if (found) return found
  }
  throw new LocalStackError(
    'The local servers come from Debian, of which this machine knows no mirror: set DEBIAN_MIRROR to the address of one.',
  )
}
