import { writeFileSync } from 'node:fs'
import { Command, runCommand } from '@gatehouse/proto/process/command.ts'
import { resources } from '../gateway.ts'
import { consoleDocument } from './console.ts'
import { openApiDocument } from './document.ts'

await runCommand(
  new Command('node gateway/openapi/write.ts').description(
    'Write gateway/openapi/openapi.json, from which clients are generated, and console.json, for the console. A test fails if one is stale',
  ),
)
for (const [file, document] of [
  ['openapi.json', openApiDocument(resources)],
  ['console.json', consoleDocument()],
] as const)
  writeFileSync(new URL(file, import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
