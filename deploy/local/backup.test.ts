import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deep, slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { backUp } from './backup.ts'
import { takeLock } from './lock.ts'
import { findPlatform } from './platform.ts'
import { restore } from './restore.ts'
import { type Stack, startStack } from './stack.ts'

const silent = () => {}
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'))
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

test('a backup overwrites nothing, and needs a stack that runs', async () => {
  await expect(backUp(join(folder, 'data'), folder, [], silent)).rejects.toThrow(/exists already/)
  await expect(backUp(join(folder, 'data'), join(folder, 'new'), [], silent)).rejects.toThrow(/No local stack runs/)
  expect(await readdir(folder)).toEqual([])
})

test('a restore takes the place of what was there and keeps it, once it stopped', slow, async () => {
  const [data, backup] = [join(folder, 'data'), join(folder, 'backup')]
  await mkdir(data)
  await writeFile(join(data, 'own'), 'now')
  await expect(restore(backup, data)).rejects.toThrow(/is not a backup/)
  await mkdir(join(backup, 'postgres'), { recursive: true })
  await writeFile(join(backup, 'postgres/PG_VERSION'), '18')
  const running = await takeLock(join(data, 'stack.lock'), 0)
  await expect(restore(backup, data)).rejects.toThrow(/stop it first/)
  await running?.release()
  const aside = await restore(backup, data)
  expect(await readFile(join(aside ?? '', 'own'), 'utf8')).toBe('now')
  expect(await readdir(data)).toEqual(['postgres'])
  expect(await readdir(backup)).toEqual(['postgres'])
  expect(await restore(backup, join(folder, 'elsewhere'))).toBeUndefined()
})

/* Starts PostgreSQL twice, and makes its first files: only in `npm run test:deep`. */
describe.runIf(findPlatform())('the backup of a stack', deep, () => {
  const stacks: Stack[] = []
  afterEach(async () => {
    for (const stack of stacks.splice(0)) await stack.stop()
  })
  const start = async (dataDir: string): Promise<MongoClient> => {
    const stack = await startStack({ dataDir, servers: ['mongodb'] })
    stacks.push(stack)
    return new MongoClient(stack.mongodbUrl).connect()
  }

  test('has what was written before it began and, of what is written meanwhile, a beginning; a stack starts with it', async () => {
    const [data, backup] = [join(folder, 'data'), join(folder, 'backup')]
    const client = await start(data)
    await writeFile(join(data, 'secrets.key'), 'key', { mode: 0o600 })
    let written = 0
    const over = new AbortController()
    const writing = (async () => {
      // Two databases, in turn: those of services are copied as of the same moment.
      while (!over.signal.aborted)
        await client
          .db(`db-${written % 2}`)
          .collection<{ _id: number }>('numbers')
          .insertOne({ _id: written++ })
    })()
    await expect.poll(() => written).toBeGreaterThan(100)
    // The last one may not be answered yet.
    const before = written - 1
    await backUp(data, backup, ['secrets.key', 'missing'], silent)
    over.abort()
    await writing
    await client.close()
    expect((await readdir(backup)).sort()).toEqual(['postgres', 'secrets.key'])
    expect((await stat(join(backup, 'secrets.key'))).mode & 0o777).toBe(0o600)
    expect((await readdir(data)).filter((name) => name.startsWith('backup-'))).toEqual([])

    const copy = join(folder, 'copy')
    await restore(backup, copy)
    const restored = await start(copy)
    const found = await Promise.all(
      [0, 1].map((n) => restored.db(`db-${n}`).collection<{ _id: number }>('numbers').find().toArray()),
    )
    await restored.close()
    const numbers = found
      .flat()
      .map(({ _id }) => _id)
      .sort((one, other) => one - other)
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => n))
    expect(numbers.length).toBeGreaterThanOrEqual(before)
  })
})
