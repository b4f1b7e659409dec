import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHART } from './helm.ts'
import { withValues } from './readme.ts'

// Writes the values of the chart into its README.

const file = join(CHART, 'README.md')
await writeFile(file, await withValues(await readFile(file, 'utf8')))
