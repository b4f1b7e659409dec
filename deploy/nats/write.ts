import { readFileSync, writeFileSync } from 'node:fs'
import { withPermissions } from './table.ts'

// Writes who says and hears what on the bus into the docs.

const file = new URL('../../docs/protocol.md', import.meta.url)
writeFileSync(file, withPermissions(readFileSync(file, 'utf8')))
