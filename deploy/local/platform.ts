import { existsSync } from 'node:fs'

/** Debian's name of a processor architecture, its library folder and its loader. */
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

/** This machine's platform; undefined if Debian's packages cannot run here. */
export function findPlatform(): Platform | undefined {
  const isDebian = process.platform === 'linux' && TOOLS.every((tool) => existsSync(tool))
  return isDebian ? PLATFORMS[process.arch] : undefined
}
