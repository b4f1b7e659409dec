import { writeFileSync } from 'node:fs'
import document from '../../../gateway/openapi/openapi.json' with { type: 'json' }
import { typesOf } from './types.ts'

writeFileSync(new URL('../openapi.ts', import.meta.url), await typesOf(document))
