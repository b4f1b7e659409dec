import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import document from '../../gateway/openapi/openapi-client.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }
import { collectionOf } from '../postman/collection.ts'

const clients = join(import.meta.dirname, '..')
const root = join(clients, '..')

/** As Python writes versions: 1.0.0rc1. */
const pythonVersion = manifest.version.replace(/-(\w+)\.(\d+)$/, '$1$2')

/** The clients that others than npm install: the folder of each in its archive, and the archive. */
const CLIENTS = {
  python: [`gatehouse_client-${pythonVersion}`, `gatehouse_client-${pythonVersion}.tar.gz`],
  php: ['gatehouse-client', `gatehouse-client-php-${manifest.version}.tar.gz`],
}

/** Packs the Python and the PHP client, as `npm run types` left them, and the collection into a folder. Returns the paths. */
export async function packClients(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const packed: string[] = []
  for (const [language, [name = '', archive = '']] of Object.entries(CLIENTS)) {
    const place = join(folder, language, name)
    await rm(join(folder, language), { recursive: true, force: true })
    const isOurs = (path: string): boolean => !/\/(test|__pycache__|\.\w+)$/.test(path)
    await cp(join(clients, language), place, { recursive: true, filter: isOurs })
    await cp(join(root, 'LICENSE'), join(place, 'LICENSE'))
    if (language === 'php') await nameVersion(join(place, 'composer.json'))
    const path = join(folder, archive)
    await execute('tar', ['-czf', path, '-C', join(folder, language), name])
    await rm(join(folder, language), { recursive: true })
    packed.push(path)
  }
  const collection = join(folder, 'gatehouse.postman_collection.json')
  await writeFile(collection, JSON.stringify(await collectionOf(document), null, 2))
  return [...packed, collection]
}

/** Composer takes the version from Git, unless it is named. */
async function nameVersion(file: string): Promise<void> {
  const { name, ...rest } = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, `${JSON.stringify({ name, version: manifest.version, ...rest }, null, 2)}\n`)
}

if (import.meta.main) {
  const folder = join(root, 'dist')
  await mkdir(folder, { recursive: true })
  await execute('npm', ['pack', '--workspace', '@gatehouse/client', '--pack-destination', folder], { cwd: root })
  console.log([join(folder, `gatehouse-client-${manifest.version}.tgz`), ...(await packClients(folder))].join('\n'))
}
