import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { findPlatform } from '@gatehouse/local/platform'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const DAY_MS = 86_400_000
const MONGODB_URL = 'mongodb://backup:secret@mongodb/?replicaSet=mongodb&authSource=admin'

/*
 * The scripts of the component `backup`, run by this machine's shell. mongodump and mongorestore are not to be had here: stand-ins take their place,
 * which write what they were told into a file, and the first copies an archive.
 */
describe.runIf(findPlatform())('backups on Kubernetes', () => {
  let folder: string
  let backups: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-scripts-'))
    backups = await mkdtemp(join(folder, 'backups-'))
    for (const tool of ['mongodump', 'mongorestore']) {
      const lines = [
        '#!/bin/sh',
        `echo "${tool} $*" >>${folder}/told`,
        // The config, which is gone afterwards.
        `cat "$2" >>${folder}/told`,
        `for each; do case $each in --archive=*) archive=\${each#--archive=};; esac; done`,
        ...(tool === 'mongodump' ? [`cp ${folder}/dumped "$archive"`, `exit "\${FAIL:-0}"`] : []),
      ]
      await writeFile(join(folder, tool), lines.join('\n'))
      await chmod(join(folder, tool), 0o755)
    }
    await writeFile(join(folder, 'dumped'), gzipSync('all databases'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const run = (script: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) => {
    const PATH = `${folder}${delimiter}${process.env.PATH}`
    return spawnSync('sh', [join(import.meta.dirname, 'components/backup', script), ...args], {
      env: { PATH, TMPDIR: folder, BACKUPS: backups, MONGODB_URL, KEEP_DAYS: '14', ...env },
      encoding: 'utf8',
    })
  }
  const told = (): Promise<string> => readFile(join(folder, 'told'), 'utf8')

  test('a dump is consistent as of its end, and shows its password to nobody', async () => {
    expect(run('backup.sh').status).toBe(0)
    const [command = '', config] = (await told()).split('\n')
    expect(command).toMatch(/^mongodump --config \S+ --oplog --gzip --archive=\S+new\.gz$/)
    expect(config).toBe(`uri: "${MONGODB_URL}"`)
    expect(await readdir(folder)).toEqual(expect.not.arrayContaining([expect.stringMatching(/^tmp\./)]))
    expect(await readdir(backups)).toEqual(['new.gz'])
  })

  test('a dump that fails, or whose archive is cut off, is no backup', async () => {
    expect(run('backup.sh', [], { FAIL: '1' }).status).not.toBe(0)
    await writeFile(join(folder, 'dumped'), gzipSync('all databases').subarray(0, 20))
    expect(run('backup.sh').status).not.toBe(0)
    expect(await readdir(backups)).toEqual(['new.gz'])
  })

  test('a new backup is named by its time; old ones go, but never the newest three', async () => {
    const now = Date.now()
    const nameOf = (days: number): string =>
      `${new Date(now - days * DAY_MS).toISOString().slice(0, 19).replaceAll(':', '-')}Z.gz`
    const keep = async (...days: number[]): Promise<string[]> => {
      for (const name of await readdir(backups)) await rm(join(backups, name))
      for (const each of days) {
        await writeFile(join(backups, nameOf(each)), '')
        await utimes(join(backups, nameOf(each)), new Date(), new Date(now - each * DAY_MS))
      }
      await writeFile(join(backups, 'new.gz'), '')
      expect(run('keep.sh')).toMatchObject({ status: 0, stderr: '' })
      const kept = await readdir(backups)
      expect(kept).not.toContain('new.gz')
      return days.filter((each) => kept.includes(nameOf(each))).map((each) => nameOf(each))
    }
    expect(await keep(1, 2, 3, 20, 30)).toEqual([1, 2, 3].map(nameOf))
    expect(await keep(20, 30, 40)).toEqual([20, 30].map(nameOf))
  })

  test('a restore replaces what there is, once the archive proved whole', async () => {
    await writeFile(join(backups, 'good.gz'), gzipSync('all databases'))
    await writeFile(join(backups, 'bad.gz'), gzipSync('all databases').subarray(0, 20))
    expect(run('restore.sh', ['bad.gz']).status).not.toBe(0)
    expect(run('restore.sh').stderr).toContain('good.gz')
    await expect(told()).rejects.toThrow('ENOENT')
    expect(run('restore.sh', ['good.gz']).status).toBe(0)
    expect(await told()).toMatch(/^mongorestore --config \S+ --drop --oplogReplay --gzip --archive=\S+good\.gz\n/)
  })
})
