import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { build } from 'vite'
import { type BuiltApp, buildsOf, currentOf, filesIn } from './built.ts'
import { declaredLists, putIn } from './declared.ts'
import { guidesAsHtml } from './guides.ts'

const SERVICE_WORKER = 'service-worker.js'
/** Folders of the console in which the pages are small and share most of their code. */
const WHOLE = /\/console\/src\/(check-ins|devices|leads|mailings|overview)\//
const COMPRESSED = /\.(html|js|css|svg|wasm|webmanifest)$/

/**
 * Builds an app and makes this its current build. Others may build it at the same time.
 *
 * Apps use Preact: 6 kB compressed, where Svelte takes 17 kB and React 68, with no further packages, and TypeScript checks its views.
 */
export async function buildApp(app: BuiltApp, version: string): Promise<void> {
  const builds = buildsOf(app)
  await mkdir(builds, { recursive: true })
  const folder = await mkdtemp(join(builds, 'new-'))
  // The gateway may be another user.
  await chmod(folder, 0o755)
  const root = join(import.meta.dirname, app)
  const workerSource = 'src/service-worker.ts'
  const hasServiceWorker = existsSync(join(root, workerSource))
  const define = { __VERSION__: JSON.stringify(version), ...putIn(await declaredLists()) }
  // One by one, so that a service worker shares no file with the page: not every browser lets it import one.
  for (const input of ['index.html', ...(hasServiceWorker ? [workerSource] : [])]) {
    await build({
      configFile: false,
      root,
      base: `/${app}/`,
      logLevel: 'warn',
      define,
      plugins: [guidesAsHtml()],
      // Texts are read as a whole; a name for each would double them.
      json: { namedExports: false },
      build: {
        outDir: folder,
        emptyOutDir: false,
        // The policy of the pages allows no data: addresses.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: join(root, input),
          output: {
            // In one file what a page begins with: browsers fetch six at a time, and each costs a way through the network.
            codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }, { name: wholeFolderOf }] },
            // A service worker keeps its address: a browser compares what is there with what it has.
            entryFileNames: ({ name }) =>
              `${name}.js` === SERVICE_WORKER ? SERVICE_WORKER : 'assets/[name]-[hash].js',
          },
        },
      },
    })
  }
  if (hasServiceWorker) await nameFiles(folder)
  await compress(folder)
  await rename(folder, join(builds, version)).catch(async (error: NodeJS.ErrnoException) => {
    // The same build, made by another process or before.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    await rm(folder, { recursive: true })
  })
  const pointer = join(builds, `current-${process.pid}`)
  await writeFile(pointer, version)
  await rename(pointer, currentOf(app))
  await removeOthers(builds, version)
}

/** Tells the service worker that files there are. */
async function nameFiles(folder: string): Promise<void> {
  const path = join(folder, SERVICE_WORKER)
  const files = (await filesIn(folder)).filter((file) => file !== SERVICE_WORKER)
  const script = await readFile(path, 'utf8')
  await writeFile(path, script.replaceAll('__FILES__', JSON.stringify(files)))
}

/** What is fetched as a whole, which is smaller and takes fewer requests than a file for each part that several pages share. */
function wholeFolderOf(module: string): string | null {
  return WHOLE.exec(module)?.[1] ?? null
}

async function compress(folder: string): Promise<void> {
  for (const file of await filesIn(folder)) {
    if (!COMPRESSED.test(file)) continue
    const path = join(folder, file)
    const bytes = await readFile(path)
    for (const [suffix, packed] of [
      ['br', await promisify(brotliCompress)(bytes)],
      ['gz', await promisify(gzip)(bytes, { level: 9 })],
    ] as const)
      if (packed.length < bytes.length) await writeFile(`${path}.${suffix}`, packed)
  }
}

async function removeOthers(builds: string, version: string): Promise<void> {
  const others = (await readdir(builds)).filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== version)
  for (const name of others) await rm(join(builds, name), { recursive: true, force: true })
}
