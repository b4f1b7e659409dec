import { writeFileSync } from 'node:fs'
import { consoleDocument } from '../../../gateway/openapi/console.ts'
import document from '../../../gateway/openapi/openapi-client.json' with { type: 'json' }
import { typesOf } from './types.ts'

// Writes the types of what the client and the console ask. Git ignores both files: `npm run check` and the client's build rewrite them.

for (const [file, documented] of [
  ['../openapi.ts', document],
  ['../../../apps/console/src/server/openapi.ts', consoleDocument()],
] as const)
  writeFileSync(new URL(file, import.meta.url), await typesOf(documented))
