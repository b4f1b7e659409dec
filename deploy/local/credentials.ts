import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { LocalStackError } from './failure.ts'
import { writePrivate } from './private-files.ts'

/** The passwords of a stack's servers. */
export interface Credentials {
  /** Of NATS, by user. */
  nats: Record<string, string>
  /** Of Redis' default user. */
  redis: string
  /** Of the MongoDB-protocol server's user {@link MONGODB_USER}. */
  mongodb: string
}

/** The one user of the MongoDB-protocol server. */
export const MONGODB_USER = 'gatehouse'

/**
 * Gives the passwords that `file` keeps. Those that it lacks are made and written down, so that a stack has the same ones at each start until the
 * file is deleted. Only the owner of the file can read it. Throws a {@link LocalStackError} where the file is damaged.
 */
export async function takeCredentials(file: string, natsUsers: readonly string[]): Promise<Credentials> {
  const known = await readCredentials(file)
  const nats = Object.fromEntries(natsUsers.map((user) => [user, known.nats?.[user] ?? newPassword()]))
  const credentials: Credentials = {
    nats: { ...known.nats, ...nats },
    redis: known.redis ?? newPassword(),
    mongodb: known.mongodb ?? newPassword(),
  }
  await writePrivate(file, `${JSON.stringify(credentials, null, 2)}\n`)
  return credentials
}

async function readCredentials(file: string): Promise<Partial<Credentials>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    return JSON.parse(text) as Partial<Credentials>
  } catch {
    // What it says repeats some of the file.
    throw new LocalStackError(`${file} is damaged: delete it, the next start makes other passwords.`)
  }
}

/** 256 random bits, of characters that need no escape in an address or a configuration file. */
function newPassword(): string {
  return randomBytes(32).toString('hex')
}
