import { globSync } from 'node:fs'
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { execute, ToolError } from './execute.ts'
import type { Platform } from './platform.ts'

const POSTGRES = 'usr/lib/postgresql/18'
const EXTENSIONS = 'usr/share/postgresql/18/extension'

/** The paths of the programs in the folder of {@link unpack}. */
export const PROGRAMS = {
  postgres: `${POSTGRES}/bin/postgres`,
  initdb: `${POSTGRES}/bin/initdb`,
  pgBasebackup: `${POSTGRES}/bin/pg_basebackup`,
  nats: 'usr/sbin/nats-server',
  redis: 'usr/bin/redis-server',
}

/** Files of no use to a server: byte code for the JIT compiler, other programs' files, upgrade scripts of PostGIS. */
const USELESS = [
  `${POSTGRES}/lib/{bitcode,pgxs}`,
  'usr/lib/*-linux-gnu/{gconv,perl,perl-base,systemd}',
  `${EXTENSIONS}/{address,postgis_}*`,
  `${EXTENSIONS}/*{ANY,unpackaged}*`,
]

/** Unpacks the parts of packages that the servers need into a new folder, and makes their programs run from there. */
export async function unpack(packages: readonly string[], folder: string, platform: Platform): Promise<void> {
  const whole = `${folder}.whole`
  await mkdir(whole, { recursive: true })
  const queue = [...packages]
  const worker = async (): Promise<void> => {
    for (let file = queue.pop(); file; file = queue.pop()) {
      await execute('dpkg-deb', ['--extract', file, whole])
      await rm(file)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))

  const kept = ['usr/lib/postgresql', `usr/lib/${platform.triplet}`, 'usr/share/postgresql', PROGRAMS.nats]
  for (const path of [...kept, PROGRAMS.redis, 'usr/bin/redis-check-rdb']) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await rename(join(whole, path), join(folder, path))
  }
  await rm(whole, { recursive: true })
  for (const path of globSync(USELESS, { cwd: folder })) await rm(join(folder, path), { recursive: true })

  // The package's installation script would do this.
  await symlink('postgis-3.control', join(folder, EXTENSIONS, 'postgis.control'))
  for (const program of Object.values(PROGRAMS)) await wrap(join(folder, program), platform)
  await checkLibraries(folder, platform)
}

/** Throws {@link ToolError} if a program, or an extension of PostgreSQL, needs a library that is missing here. */
async function checkLibraries(folder: string, { triplet, loader }: Platform): Promise<void> {
  const libraries = join(folder, 'usr/lib', triplet)
  const extensions = join(folder, POSTGRES, 'lib')
  const loaded = ['pg_documentdb', 'pg_documentdb_extended_rum', 'pg_cron', 'postgis-3', 'vector', 'tsm_system_rows']
  const files = [
    ...Object.values(PROGRAMS).map((program) => join(folder, `${program}.real`)),
    ...loaded.map((name) => join(extensions, `${name}.so`)),
  ]
  for (const file of files) {
    const path = `${libraries}:${extensions}`
    const list = await execute(join(libraries, loader), ['--library-path', path, '--list', file])
    // The loader takes libraries that are missing here from this machine; another machine may not have them.
    const missing = list.split('\n').find((line) => line.includes(' => ') && !line.includes(` => ${folder}/`))
    if (missing) throw new ToolError(`${file}: ${missing.trim()}`)
  }
}

/**
 * Replaces a program by a script that runs it with its own libraries and loader, which may be newer than the machine's. The program sees the path
 * of the script as its own, by which PostgreSQL finds its files and programs. NSS_WRAPPER_PASSWD can name a list of users that replaces the
 * machine's.
 */
async function wrap(program: string, { triplet, loader }: Platform): Promise<void> {
  await rename(program, `${program}.real`)
  const script = `#!/bin/sh
root=\${0%/usr/*}
lib=$root/usr/lib/${triplet}
exec "$lib/${loader}" --library-path "$lib:$root/${POSTGRES}/lib" \\
  \${NSS_WRAPPER_PASSWD:+--preload "$lib/libnss_wrapper.so"} --argv0 "$0" "$0.real" "$@"
`
  await writeFile(program, script)
  await chmod(program, 0o755)
}
