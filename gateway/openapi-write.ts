import { writeFileSync } from 'node:fs'
import { resources } from './gateway.ts'
import { openApiDocument } from './openapi.ts'

// `npm run openapi`: the committed document, for those who make clients of it. A test fails when it is stale.
writeFileSync(new URL('openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(resources), null, 2)}\n`)
