import { existsSync } from 'node:fs'
import { LocalStackError } from './failure.ts'

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

/** Gives this machine's platform. Throws {@link LocalStackError} where Debian's packages can't be had or run. */
export function findPlatform(): Platform {
  const platform = PLATFORMS[process.arch]
  if (process.platform === 'linux' && platform && TOOLS.every((tool) => existsSync(tool))) return platform
  throw new LocalStackError(
    'The local servers are for Debian, Ubuntu and their relatives on amd64 or arm64: elsewhere set MONGODB_URL, NATS_URL and REDIS_URL, to the stores of `docker compose --file deploy/compose.yaml up` for instance.',
  )
}
