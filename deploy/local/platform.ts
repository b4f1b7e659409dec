import { existsSync } from 'node:fs'

/** What Debian calls a kind of processor, where it keeps libraries for it, and what loads them. */
export interface Platform {
  debian: string
  triplet: string
  loader: string
}

const PLATFORMS: Partial<Record<NodeJS.Architecture, Platform>> = {
  x64: { debian: 'amd64', triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { debian: 'arm64', triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
}

const TOOLS = ['apt-get', 'apt-config', 'dpkg-deb', 'setpriv', 'flock'].map((tool) => `/usr/bin/${tool}`)

/** This machine's platform; undefined where Debian's packages can't be had or run. */
export function findPlatform(): Platform | undefined {
  const isDebian = process.platform === 'linux' && TOOLS.every((tool) => existsSync(tool))
  return isDebian ? PLATFORMS[process.arch] : undefined
}
