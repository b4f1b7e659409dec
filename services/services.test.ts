import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bareEnv } from '@gatehouse/test/harness/process.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'
import { serviceNames } from './services.ts'

test('each folder is a service of the list', async () => {
  const entries = await readdir(import.meta.dirname, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders.toSorted()).toEqual(serviceNames.toSorted())
})

test('who reads the list reads what services declare, and none of their code', slow, async () => {
  const program = `
    import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })
    await import(${JSON.stringify(join(import.meta.dirname, 'services.ts'))})`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: bareEnv,
  })
  const read = stdout.split('\n')
  for (const name of serviceNames)
    expect(read.filter((url) => url.endsWith(`/services/${name}/declaration.ts`))).toHaveLength(1)
  expect(read.filter((url) => /\/(service|handlers|store)\.ts$|\/node_modules\/mongodb\//.test(url))).toEqual([])
})
