import { writeFileSync } from 'node:fs'
import own from '../../../gateway/openapi/console.json' with { type: 'json' }
import document from '../../../gateway/openapi/openapi.json' with { type: 'json' }
import { typesOf } from './types.ts'

writeFileSync(new URL('../openapi.ts', import.meta.url), await typesOf(document))
const ofConsole = new URL('../../../apps/console/src/server/openapi.ts', import.meta.url)
writeFileSync(ofConsole, await typesOf(own, 'console.json'))
