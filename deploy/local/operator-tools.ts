import { join } from 'node:path'
import { debianApt } from './apt.ts'
import { execute } from './execute.ts'
import { cacheFolder, ensureFetched } from './fetched.ts'
import { programOnPath, RELEASE } from './packages.ts'

/** A program that checks manifests or alerts, or collects metrics, and the package of the same name that holds it. They run with any glibc from 2.34 on. */
type OperatorTool = 'kubectl' | 'prometheus' | 'promtool'

/** Older ones know neither components nor how generated ConfigMaps are merged. */
const LEAST_KUSTOMIZE = 5

/**
 * Returns the path of a tool of this machine if it is new enough, or fetches it from Debian the first time, without root (some 5 s, 100 MB).
 * Throws `LocalStackError` when that fails.
 */
export async function findOperatorTool(name: OperatorTool, log: (line: string) => void): Promise<string> {
  const installed = programOnPath(name)
  if (installed && (name !== 'kubectl' || (await kustomizeOf(installed)) >= LEAST_KUSTOMIZE)) return installed
  const folder = join(cacheFolder(), `${name}-${RELEASE}-1`)
  await ensureFetched(
    folder,
    { name: `files of ${name}`, elsewhere: `install ${name}`, neededMb: 200, log },
    async (partial, platform) => {
      log(`Fetching ${name} from Debian.`)
      const apt = await debianApt(partial, RELEASE, platform)
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
