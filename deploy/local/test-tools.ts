import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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

/** The tools by name, with their paths in the packages and their names where they are installed. */
const TOOLS = {
  // The headless shell, which draws with little more than half of the CPU time of the whole browser.
  chromium: {
    packaged: 'usr/lib/chromium/chromium-headless-shell',
    installed: ['chromium-headless-shell', 'chromium'],
  },
  pdftotext: { packaged: 'usr/bin/pdftotext', installed: ['pdftotext'] },
}
const PACKAGES = ['chromium-headless-shell', 'poppler-utils']

/** Dependencies that a headless browser does not load, or that must be the machine's own. */
const UNUSED =
  /^(libc6|libc-bin|libgcc-s1|gcc-\d+-base|perl|libperl|debconf|tzdata|systemd|dbus|x11|xdg|fonts-|adwaita|hicolor|libllvm|mesa|libgl1-mesa|va-driver|vdpau|libgtk)/
const TEST_TOOLS = { name: 'tools of the tests', elsewhere: 'install chromium and pdftotext', neededMb: 700 }

/**
 * Returns a tool of this machine, or fetches it from the machine's release of Debian the first time, without root (some 20 s, 400 MB for all tools).
 * Throws `LocalStackError` when that fails.
 */
export async function findTool(name: keyof typeof TOOLS, log: (line: string) => void): Promise<Tool> {
  const { packaged, installed } = TOOLS[name]
  const found = installed.map(programOnPath).find((each) => each !== undefined)
  if (found) return { path: found, env: process.env }
  const folder = join(cacheFolder(), `test-tools-${await codename()}-2`)
  await ensureFetched(folder, { ...TEST_TOOLS, log }, async (partial, platform) => {
    log(`Fetching ${PACKAGES.join(' and ')} from Debian, for tests.`)
    const apt = await debianApt(partial, await codename(), platform)
    const root = join(partial, 'root')
    for (const file of await apt.download(PACKAGES, UNUSED)) await execute('dpkg-deb', ['--extract', file, root])
    return root
  })
  const libraries = ['usr/lib', 'lib'].map((path) => join(folder, path, findPlatform()?.triplet ?? ''))
  const path = [...libraries, ...libraries.map((each) => join(each, 'pulseaudio'))].filter((each) => existsSync(each))
  return { path: join(folder, packaged), env: { ...process.env, LD_LIBRARY_PATH: path.join(':') } }
}

/** The release of this machine's Debian, whose programs match its C library. */
async function codename(): Promise<string> {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return /^VERSION_CODENAME=(\S+)$/m.exec(system)?.[1] ?? 'stable'
}
