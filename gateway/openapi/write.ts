import { writeFileSync } from 'node:fs'
import { Command, runCommand } from '@gatehouse/proto/process/command.ts'
import { resources } from '../gateway.ts'
import { openApiDocument } from './document.ts'

await runCommand(
  new Command('node gateway/openapi/write.ts').description(
    'Write gateway/openapi/openapi.json, from which clients are generated. A test fails if it is stale',
  ),
)
writeFileSync(new URL('openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(resources), null, 2)}\n`)
