import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { expect, test } from 'vitest'
import { buildOf } from '../../built.ts'

/** A phone at a venue has it within seconds. */
const MOST_BYTES = 250_000

// The system builds the apps.
await sharedSystem()

test('all scripts of the console, in one language and with what reads files, have less than 250 kB as they are sent', async () => {
  const { folder, files } = (await buildOf('console')) ?? { folder: '', files: [] }
  const other = /\/(de|es|fr|it|ja|nl|pl|pt|sv)-[^/]+$/
  const scripts = files.filter((file) => file.endsWith('.js.br') && !other.test(file))
  const sizes = await Promise.all(scripts.map(async (file) => (await readFile(join(folder, file))).length))
  const size = sizes.reduce((sum, each) => sum + each, 0)
  expect(size).toBeGreaterThan(0)
  expect(size).toBeLessThan(MOST_BYTES)
})
