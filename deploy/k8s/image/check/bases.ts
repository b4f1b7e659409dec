import { appendFile, copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import { cacheFolder, ensureFetched } from '@gatehouse/local/fetched'
import type { Engine } from './engine.ts'

/** The release of Debian of the images that the Dockerfile names. */
export const RELEASE = 'trixie'
/** What the images that the Dockerfile names consist of, as far as we need it. */
const OF_BASE = ['base-files', 'netbase', 'tzdata', 'libc6']
const OF_NODE = ['base-files', 'netbase', 'dash', 'coreutils', 'sed', 'grep', 'libstdc++6', 'libatomic1']
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
/** Documents, and lists of packages. */
const UNREAD = ['usr/share/man', 'usr/share/info', 'usr/share/locale', 'var/lib/apt', 'var/cache/apt', 'dev']

/** The images below ours, by the argument of the Dockerfile that names each. */
export interface Bases {
  NODE_BASE: string
  BASE: string
}

/**
 * Returns the images that the Dockerfile names, if their registries answer. Otherwise makes images of the same packages of Debian and npm, and
 * returns their names: they have no digest that the Dockerfile could know.
 */
export async function basesFor(context: string, engine: Engine, say: (line: string) => void): Promise<Bases> {
  const dockerfile = await readFile(join(context, 'Dockerfile'), 'utf8')
  const named = Object.fromEntries([...dockerfile.matchAll(/^ARG (\w+)=(\S+@sha256:\S+)$/gm)].map(([, k, v]) => [k, v]))
  try {
    for (const image of Object.values(named)) await engine.podman('pull', '--quiet', String(image))
    return named as unknown as Bases
  } catch (error) {
    say(
      `the images of the Dockerfile can't be had here (${(error as Error).message.split('\n').at(-1)}): made of packages`,
    )
  }
  const npm = (await execute('npm', ['--version'])).trim()
  const folder = join(cacheFolder(), `images-${RELEASE}-node-${process.versions.node}-1`)
  const described = {
    name: 'base images',
    elsewhere: 'build with the images of the Dockerfile',
    neededMb: 1_500,
    log: say,
  }
  await ensureFetched(folder, described, async (partial) => {
    const node = await unpackDebian(partial, 'node', OF_NODE)
    // That of the npm package, which runs this too.
    await mkdir(join(node, 'usr/local/bin'), { recursive: true })
    await copyFile(process.execPath, join(node, 'usr/local/bin/node'))
    await execute('npm', ['install', '--global', '--prefix', join(node, 'usr/local'), '--prefer-offline', `npm@${npm}`])
    const base = await unpackDebian(partial, 'base', OF_BASE)
    await appendFile(join(base, 'etc/passwd'), 'nonroot:x:65532:65532:nonroot:/:/sbin/nologin\n')
    const made = join(partial, 'made')
    await mkdir(made)
    for (const root of [node, base])
      await execute('tar', ['--create', '--file', join(made, `${basename(root)}.tar`), '--directory', root, '.'])
    return made
  })
  // The certificates and the cache of this machine, so that npm finds its registry.
  const settings = [
    `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
    'ENV npm_config_prefer_offline=true',
    'ENV PATH=/usr/local/bin:/usr/bin:/bin',
  ]
  const changes = settings.flatMap((setting) => ['--change', setting])
  await engine.podman('import', '--quiet', ...changes, join(folder, 'node.tar'), 'localhost/gatehouse-node:made')
  await engine.podman('import', '--quiet', join(folder, 'base.tar'), 'localhost/gatehouse-base:made')
  return { NODE_BASE: 'localhost/gatehouse-node:made', BASE: 'localhost/gatehouse-base:made' }
}

/** Unpacks packages of Debian, with those that they need, into a folder, and returns it. It has the certificates of this machine. */
export async function unpackDebian(parent: string, name: string, packages: readonly string[]): Promise<string> {
  const root = join(parent, name)
  const mirror = process.env.DEBIAN_MIRROR ? [process.env.DEBIAN_MIRROR] : []
  const args = ['--quiet', '--variant=extract', `--include=${packages.join(',')}`]
  await execute('mmdebstrap', [...args, RELEASE, root, ...mirror])
  for (const path of UNREAD) await rm(join(root, path), { recursive: true, force: true })
  await mkdir(join(root, dirname(CERTIFICATES)), { recursive: true })
  await copyFile(CERTIFICATES, join(root, CERTIFICATES))
  return root
}
