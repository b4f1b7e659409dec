import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import document from '../../gateway/openapi/openapi-client.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }
import { apiOf } from './document.ts'
import { phpOf } from './php.ts'
import { pythonOf } from './python.ts'

// Writes what the Python and the PHP client have of the API document. Git ignores the files.

const api = apiOf(document)
for (const [folder, files] of Object.entries({
  'python/gatehouse': pythonOf(api, manifest.version),
  'php/src': phpOf(api, manifest.version),
}))
  for (const [name, text] of Object.entries(files)) {
    const file = join(import.meta.dirname, '..', folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
