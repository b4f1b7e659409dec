import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import { cacheFolder, ensureFetched } from '@gatehouse/local/fetched'
import type { Engine } from './engine.ts'

/** The release of Debian of the images that the Dockerfile names. */
const RELEASE = 'trixie'
/** What the images that the Dockerfile names consist of. */
const OF_BASE = ['base-files', 'netbase', 'tzdata', 'libc6']
const OF_NODE = ['libstdc++6', 'libatomic1', 'ca-certificates', 'netbase']
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
/** Documents in other languages, and lists of packages. */
const UNREAD = 'rm -rf "$1"/usr/share/man "$1"/usr/share/info "$1"/usr/share/locale "$1"/var/lib/apt "$1"/var/cache/apt'

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
    say(`the images of the Dockerfile can't be had here (${(error as Error).message.split('\n').at(-1)}): made of packages`)
  }
  const { dependencies } = JSON.parse(await readFile(join(context, 'package.json'), 'utf8'))
  const npm = (await execute('npm', ['--version'])).trim()
  const folder = join(cacheFolder(), `images-${RELEASE}-node-${dependencies.node}-1`)
  const described = { name: 'base images', elsewhere: 'build with the images of the Dockerfile', neededMb: 1_500, log: say }
  await ensureFetched(folder, described, async (partial) => {
    const install = `npm install --global --prefix "$1/usr/local" --prefer-offline --allow-scripts=node node@${dependencies.node} npm@${npm}`
    const user = 'echo nonroot:x:65532:65532:nonroot:/:/sbin/nologin >> "$1/etc/passwd"'
    const certificates = (root: string) => `mkdir -p ${root}/etc/ssl/certs && cp ${CERTIFICATES} ${root}${CERTIFICATES}`
    await debian(partial, 'node', 'essential', OF_NODE, [install, certificates('"$1"'), UNREAD])
    await debian(partial, 'base', 'extract', OF_BASE, [user, certificates('"$1"'), UNREAD])
    return partial
  })
  // The certificates and the cache of this machine, so that npm finds its registry.
  const settings = [`ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, 'ENV npm_config_prefer_offline=true', 'ENV PATH=/usr/local/bin:/usr/bin:/bin']
  const changes = settings.flatMap((setting) => ['--change', setting])
  await engine.podman('import', '--quiet', ...changes, join(folder, 'node.tar'), 'localhost/gatehouse-node:made')
  await engine.podman('import', '--quiet', join(folder, 'base.tar'), 'localhost/gatehouse-base:made')
  return { NODE_BASE: 'localhost/gatehouse-node:made', BASE: 'localhost/gatehouse-base:made' }
}

/** Makes a file system of packages of Debian as an archive. */
async function debian(
  folder: string,
  name: string,
  variant: 'essential' | 'extract',
  packages: readonly string[],
  hooks: readonly string[],
): Promise<void> {
  await execute('mmdebstrap', [
    '--quiet',
    `--variant=${variant}`,
    `--include=${packages.join(',')}`,
    ...hooks.map((hook) => `--customize-hook=${hook}`),
    RELEASE,
    join(folder, `${name}.tar`),
    ...(process.env.DEBIAN_MIRROR ? [process.env.DEBIAN_MIRROR] : []),
  ])
}
