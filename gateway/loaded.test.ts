// @module-tag slow
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the gateway loads no database driver: that takes some 20 MiB, and it has no database', async () => {
  // Without configuration it ends at once, with everything loaded.
  const program = `
    import { createRequire } from 'node:module'
    const { cache } = createRequire(import.meta.url)
    process.on('exit', () => console.log(Object.keys(cache).join('\\n')))
    await import(${JSON.stringify(join(import.meta.dirname, 'main.ts'))})`
  const loaded = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', program], { env: {} }, (_error, output) => resolve(output))
  })
  expect(loaded).toContain('/node_modules/fastify/')
  expect(loaded.split('\n').filter((path) => /node_modules\/(mongodb|bson)\//.test(path))).toEqual([])
})
