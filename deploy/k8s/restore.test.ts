import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { findPlatform } from '@gatehouse/local/platform'
import { type Stack, startStack } from '@gatehouse/local/stack'
import { deep } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Manifest, manifestsIn } from './manifests.ts'

const component = join(import.meta.dirname, 'components/backup')
const containersOf = ({ initContainers = [], containers }: Manifest): Manifest[] => [...initContainers, ...containers]
const yaml = async (file: string): Promise<Manifest[]> => manifestsIn(await readFile(join(component, file), 'utf8'))

// Starts a database of its own, since a restore replaces all of them.
describe.runIf(findPlatform())('a backup of the CronJob', deep, () => {
  let folder: string
  let stack: Stack
  let client: MongoClient
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-cronjob-'))
    for (const name of ['bin', 'backups', 'data']) await mkdir(join(folder, name))
    for (const tool of ['mongodump', 'mongorestore']) {
      const program = join(folder, 'bin', tool)
      await writeFile(
        program,
        `#!/bin/sh\nexec ${process.execPath} ${import.meta.dirname}/mongo-tools.ts ${tool} "$@"\n`,
      )
      await chmod(program, 0o755)
    }
    await chmod(folder, 0o711)
    stack = await startStack({
      dataDir: await mkdtemp(join(tmpdir(), 'gatehouse-cronjob-data-')),
      servers: ['mongodb'],
      throwAway: true,
    })
    client = await new MongoClient(stack.mongodbUrl).connect()
  })
  afterAll(async () => {
    await client?.close()
    await stack?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs a command of a container with its environment, and its paths in the folder. */
  async function run({ env = [] }: Manifest, [program = '', script = '', ...args]: string[]): Promise<void> {
    const given = env.map(({ name, value }: Manifest) => [name, value ?? stack.mongodbUrl])
    const PATH = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`
    const BACKUPS = join(folder, 'backups')
    await promisify(execFile)(program, [script.replace('/scripts', component), ...args], {
      env: { PATH, TMPDIR: folder, BACKUPS, ...Object.fromEntries(given) },
    })
  }

  const numbers = (database: string) => client.db(database).collection<{ _id: number; at: Date }>('numbers')
  const stored = async (): Promise<number[]> =>
    (await Promise.all(['one', 'two'].map((name) => numbers(name).find().toArray()))).flat().map(({ _id }) => _id)

  test('brings all databases back as they were, by the command of docs/kubernetes.md', async () => {
    await numbers('one').insertMany([1, 2].map((_id) => ({ _id, at: new Date() })))
    await numbers('two').insertOne({ _id: 3, at: new Date() })
    const [cronJob] = await yaml('backup.yaml')
    for (const container of containersOf(cronJob?.spec.jobTemplate.spec.template.spec))
      await run(container, container.command)
    const [name = '', ...others] = await readdir(join(folder, 'backups'))
    expect([name, others]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.gz$/), []])

    await numbers('one').deleteOne({ _id: 1 })
    await numbers('two').insertOne({ _id: 4, at: new Date() })
    const page = await readFile(join(import.meta.dirname, '../../docs/kubernetes.md'), 'utf8')
    const [, command = ''] = /exec deployment\/restore --container restore -- (sh .*restore\.sh) \S+$/m.exec(page) ?? []
    const [restore] = containersOf((await yaml('restore.yaml'))[0]?.spec.template.spec)
    await run(restore as Manifest, [...command.split(' '), name])
    expect(await stored()).toEqual([1, 2, 3])
    expect(await numbers('one').findOne({ _id: 1 })).toEqual({ _id: 1, at: expect.any(Date) })
  })
})
