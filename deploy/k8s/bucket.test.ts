// @module-tag slow
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
// @ts-expect-error It has no types.
import S3rver from '@20minutes/s3rver'
import { findOperatorTool } from '@gatehouse/local/operator-tools'
import { findPlatform } from '@gatehouse/local/platform'
import { makeCertificate } from '@gatehouse/test/harness/certificates.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { build, type Manifest } from './manifests.ts'
import { Objects } from './objects.ts'

/** The key of the S3 server, and its secret. */
const KEY = 'S3RVER'
const ARCHIVE = gzipSync('all databases')

/*
 * The commands of the component `backup-s3` and of docs/kubernetes.md, run by this machine's shell and rclone, and a server that speaks S3 and
 * checks signatures. Stand-ins for mongodump and mongorestore copy an archive.
 */
describe.runIf(findPlatform())('backups in a bucket', () => {
  let folder: string
  let server: { run(): Promise<{ port: number }>; close(): Promise<void> }
  let containers: Record<string, Manifest>
  let secret: NodeJS.ProcessEnv
  let page: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-bucket-'))
    for (const name of ['bin', 'backups', 'buckets', 'overlay']) await mkdir(join(folder, name))
    await symlink(await findOperatorTool('rclone', console.error), join(folder, 'bin/rclone'))
    await writeFile(join(folder, 'dumped'), ARCHIVE)
    await standIn('mongodump', 'cp DUMPED "$archive"')
    await standIn('mongorestore', 'cp "$archive" RESTORED')

    const overlay = join(folder, 'overlay')
    const components = ['backup', 'backup-s3'].map((name) => relative(overlay, join(component, `../${name}`)))
    await writeFile(join(overlay, 'kustomization.yaml'), stringify({ components }))
    const objects = new Objects(await build(overlay))
    containers = Object.fromEntries(objects.containers.map(({ where, container }) => [where, container]))

    page = await readFile(join(import.meta.dirname, '../../docs/kubernetes.md'), 'utf8')
    const [command = ''] = /kubectl create secret generic backup-s3 (?:.*\\\n)+.*/.exec(page) ?? []
    const literals = [...command.matchAll(/--from-literal (\w+)="?([^\s"]+)/g)].map(([, name, value]) => [name, value])
    const given = Object.fromEntries(literals)
    const { ca, cert, key } = await makeCertificate(folder)
    server = new S3rver({
      ...{ address: '127.0.0.1', port: 0, silent: true, directory: join(folder, 'buckets') },
      ...{ cert: await readFile(cert), key: await readFile(key), configureBuckets: [{ name: given.BUCKET }] },
    })
    const { port } = await server.run()
    secret = {
      ...given,
      RCLONE_CONFIG_BUCKET_ACCESS_KEY_ID: KEY,
      RCLONE_CONFIG_BUCKET_SECRET_ACCESS_KEY: KEY,
      RCLONE_CONFIG_BUCKET_ENDPOINT: `https://127.0.0.1:${port}`,
      RCLONE_CA_CERT: ca,
    }
  })
  afterAll(async () => {
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const component = join(import.meta.dirname, 'components/backup')

  /** Puts a shell script in place of a program; `$archive` is the one that it is told. */
  async function standIn(name: string, command: string): Promise<void> {
    const program = join(folder, 'bin', name)
    const paths = command.replace('DUMPED', join(folder, 'dumped')).replace('RESTORED', join(folder, 'restored'))
    const find = `for each; do case $each in --archive=*) archive=\${each#--archive=};; esac; done`
    await writeFile(program, `#!/bin/sh\n${find}\n${paths}\n`)
    await chmod(program, 0o755)
  }

  /** Runs a command in a container: with its variables and its mounts. */
  async function run(where: string, command?: string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
    const container = containers[where] as Manifest
    const own = Object.fromEntries(
      (container.env ?? []).map(({ name, value }: Manifest) => [name, value ?? 'mongodb://']),
    )
    const [program = '', ...args] = (command ?? container.command).map((each: string) =>
      each.replaceAll('/backups', join(folder, 'backups')).replace('/scripts', component),
    )
    const { stdout } = await promisify(execFile)(program, args, {
      env: {
        ...{ PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`, HOME: '/nonexistent', TMPDIR: folder },
        ...{ BACKUPS: join(folder, 'backups'), ...own, ...(container.envFrom && secret), ...more },
      },
    })
    return stdout
  }

  /** The command of the page for a container, which ends with a text. */
  function documented(container: string, end: string): string[] {
    const lines = page.split('\n').filter((line) => line.includes(`--container ${container} -- `))
    const [, command = ''] = lines.map((line) => / -- (.*)$/.exec(line) ?? []).find(([, it]) => it?.includes(end)) ?? []
    const [, script] = /^sh -c '(.*)'$/.exec(command) ?? []
    return script ? ['sh', '-c', script] : command.split(' ')
  }

  const keep = (more?: NodeJS.ProcessEnv) => run('gatehouse-backup/keep', undefined, more)
  const inBucket = async (): Promise<string[]> =>
    (await run('restore/bucket', documented('bucket', 'lsf'))).split(/\s+/).filter(Boolean)

  test('a backup of the CronJob goes there, and comes back from there by the commands of docs/kubernetes.md', async () => {
    await run('gatehouse-backup/dump')
    await keep()
    const [name = '', ...others] = await inBucket()
    expect([name, others]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.gz$/), []])

    // Another pod fetches it.
    await rm(join(folder, 'backups/new.gz'))
    const named = (command: string[]) => command.map((each) => each.replace(/[\dTZ-]+\.gz/, name))
    await run('restore/bucket', named(documented('bucket', 'rclone copy ')))
    expect(await readdir(join(folder, 'backups'))).toEqual([name])
    await run('restore/restore', named(documented('restore', 'restore.sh')))
    expect(await readFile(join(folder, 'restored'))).toEqual(ARCHIVE)
  })

  test('a misspelled bucket, and a wrong key, fail the job: no bucket is made', async () => {
    await run('gatehouse-backup/dump')
    const buckets = await readdir(join(folder, 'buckets'))
    const before = await inBucket()
    await expect(keep({ BUCKET: 'gatehouse-bakcups' })).rejects.toThrow('NoSuchBucket')
    await expect(keep({ RCLONE_CONFIG_BUCKET_SECRET_ACCESS_KEY: 'wrong' })).rejects.toThrow('403')
    expect(await readdir(join(folder, 'buckets'))).toEqual(buckets)
    expect(await inBucket()).toEqual(before)
  })
})
