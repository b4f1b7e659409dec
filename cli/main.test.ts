import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

test('a Node older than the one that is installed with Gatehouse is refused, and told which is needed', async () => {
  const needed = Number.parseInt(manifest.dependencies.node, 10)
  const versions = `{ value: { node: '${needed - 1}.99.0' } }`
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', ${versions})`
  const run = promisify(execFile)(process.execPath, ['--import', pretend, join(import.meta.dirname, 'main.ts'), 'up'])
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Node ${needed - 1}.99.0, but Gatehouse needs Node ${needed}.`),
  })
})
