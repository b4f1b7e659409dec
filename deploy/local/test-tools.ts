import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { debianApt } from './apt.ts'
import { execute } from './execute.ts'
import { cacheFolder, ensureFetched } from './fetched.ts'
import { programOnPath } from './packages.ts'
import { findPlatform } from './platform.ts'

/** A program for tests. */
export interface Tool {
  path: string
  /** The environment that it needs. */
  env: NodeJS.ProcessEnv
}

/** Packages by the name of their folder. */
const PACKAGES = {
  'test-tools': ['chromium-headless-shell', 'poppler-utils'],
  'test-python': ['python3'],
  'test-php': ['php-cli', 'php-curl'],
  'test-clock': ['libfaketime'],
}

/** The tools by name, with their packages, their paths in them and their names where they are installed. */
const TOOLS = {
  // The headless shell, which draws with little more than half of the CPU time of the whole browser.
  chromium: {
    packages: 'test-tools',
    packaged: 'usr/lib/chromium/chromium-headless-shell',
    installed: ['chromium-headless-shell', 'chromium'],
  },
  pdftotext: { packages: 'test-tools', packaged: 'usr/bin/pdftotext', installed: ['pdftotext'] },
  python: { packages: 'test-python', packaged: 'usr/bin/python3', installed: ['python3'] },
  php: { packages: 'test-php', packaged: 'usr/bin/php?.*', installed: ['php'] },
  // A library, which is never on the path.
  faketime: { packages: 'test-clock', packaged: 'usr/lib/*/faketime/libfaketimeMT.so.1', installed: [] },
} as const

/** Dependencies that a headless browser does not load, or that must be the machine's own. */
const UNUSED =
  /^(libc6|libc-bin|libgcc-s1|gcc-\d+-base|perl|libperl|debconf|tzdata|systemd|dbus|x11|xdg|fonts-|adwaita|hicolor|libllvm|mesa|libgl1-mesa|va-driver|vdpau|libgtk)/
const TEST_TOOLS = {
  name: 'tools of the tests',
  elsewhere: 'install chromium, pdftotext, python3 and php',
  neededMb: 700,
}

/**
 * Returns a tool of this machine, or fetches it from the machine's release of Debian the first time, without root (some 20 s, 400 MB for all tools).
 * Throws `LocalStackError` when that fails.
 */
export async function findTool(name: keyof typeof TOOLS, log: (line: string) => void): Promise<Tool> {
  const { packages, packaged, installed } = TOOLS[name]
  const found = installed.map(programOnPath).find((each) => each !== undefined)
  if (found) return { path: found, env: process.env }
  const folder = join(cacheFolder(), `${packages}-${await codename()}-2`)
  await ensureFetched(folder, { ...TEST_TOOLS, log }, async (partial, platform) => {
    log(`Fetching ${PACKAGES[packages].join(' and ')} from Debian, for tests.`)
    const apt = await debianApt(partial, await codename(), platform)
    const root = join(partial, 'root')
    for (const file of await apt.download(PACKAGES[packages], UNUSED))
      await execute('dpkg-deb', ['--extract', file, root])
    const [extension] = globSync('usr/lib/php/*/curl.so', { cwd: root })
    if (extension) await writeFile(join(root, 'php.ini'), `extension=${join(folder, extension)}\n`)
    return root
  })
  const libraries = ['usr/lib', 'lib'].map((path) => join(folder, path, findPlatform()?.triplet ?? ''))
  const path = [...libraries, ...libraries.map((each) => join(each, 'pulseaudio'))].filter((each) => existsSync(each))
  // PHP has the settings of its packages elsewhere.
  const env = { ...process.env, LD_LIBRARY_PATH: path.join(':'), PHP_INI_SCAN_DIR: folder }
  return { path: globSync(packaged, { cwd: folder }).map((each) => join(folder, each))[0] ?? packaged, env }
}

/** The release of this machine's Debian, whose programs match its C library. */
async function codename(): Promise<string> {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return /^VERSION_CODENAME=(\S+)$/m.exec(system)?.[1] ?? 'stable'
}
