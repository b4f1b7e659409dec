import { writeFileSync } from 'node:fs'
import { Command, runCommand } from '@gatehouse/proto/process/command.ts'
import { resources } from '../gateway.ts'
import { clientDocument } from './client-document.ts'
import { openApiDocument } from './document.ts'

await runCommand(
  new Command('node gateway/openapi/write.ts').description(
    'Write gateway/openapi/openapi.json and openapi-client.json, from which clients are generated. A test fails if they are stale',
  ),
)
const document = openApiDocument(resources)
for (const [name, content] of Object.entries({ openapi: document, 'openapi-client': clientDocument(document) }))
  writeFileSync(new URL(`${name}.json`, import.meta.url), `${JSON.stringify(content, null, 2)}\n`)
