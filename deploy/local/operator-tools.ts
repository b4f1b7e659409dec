import { join } from 'node:path'
import { debianApt } from './apt.ts'
import { execute } from './execute.ts'
import { cacheFolder, ensureFetched } from './fetched.ts'
import { programOnPath, RELEASE } from './packages.ts'

interface Tool {
  /** The release of Debian that it is taken from. */
  release: string
  /** Whether the one of this machine is new enough; default: it is. */
  isNewEnough?(path: string): Promise<boolean>
}

/** Programs that check manifests or alerts, collect metrics or keep backups. The packages that hold them have their names. They run with any glibc from 2.34 on. */
const TOOLS = {
  // Older ones know neither components nor how generated ConfigMaps are merged.
  kubectl: { release: RELEASE, isNewEnough: async (path) => (await kustomizeOf(path)) >= 5 },
  prometheus: { release: RELEASE },
  'prometheus-redis-exporter': { release: RELEASE },
  promtool: { release: RELEASE },
  // That of Debian 12 and 13 is years older than the one of the manifests, and Debian 14 has none yet.
  rclone: {
    release: 'sid',
    isNewEnough: async (path) => !/^rclone v1\.[0-6]\d\./.test(await execute(path, ['version'])),
  },
} satisfies Record<string, Tool>

/**
 * Returns the path of a tool of this machine if it is new enough, or fetches it from Debian the first time, without root (some 5 s, 3 to 30 MB).
 * Throws `LocalStackError` when that fails.
 */
export async function findOperatorTool(name: keyof typeof TOOLS, log: (line: string) => void): Promise<string> {
  const { release, isNewEnough }: Tool = TOOLS[name]
  const installed = programOnPath(name)
  if (installed && ((await isNewEnough?.(installed)) ?? true)) return installed
  const folder = join(cacheFolder(), `${name}-${release}-1`)
  await ensureFetched(
    folder,
    { name: `files of ${name}`, elsewhere: `install ${name}`, neededMb: 200, log },
    async (partial, platform) => {
      log(`Fetching ${name} from Debian.`)
      const apt = await debianApt(partial, release, platform)
      const root = join(partial, 'root')
      for (const file of await apt.download([name], new RegExp(`^(?!${name}$)`)))
        await execute('dpkg-deb', ['--extract', file, root])
      return root
    },
  )
  return join(folder, 'usr/bin', name)
}

/** The major version of the kustomize in a kubectl; 0 in those that do not say. */
async function kustomizeOf(kubectl: string): Promise<number> {
  const { kustomizeVersion = '' } = JSON.parse(await execute(kubectl, ['version', '--client', '--output=json']))
  return Number(/^v(\d+)/.exec(kustomizeVersion)?.[1] ?? 0)
}
