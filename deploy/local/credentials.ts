import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { LocalStackError } from './failure.ts'
import { writePrivate } from './private-files.ts'
import { NO_USERS, type StoreUsers } from './store-users.ts'

/** The passwords of a stack's servers. */
export interface StackPasswords {
  /** By NATS user. */
  nats: Record<string, string>
  /** That of Redis' default user. */
  redis: string
  /** That of {@link MONGODB_USER}. */
  mongodb: string
  /** By user of MongoDB. */
  mongodbUsers: Record<string, string>
  /** By user of Redis. */
  redisUsers: Record<string, string>
}

/** The user of the MongoDB-protocol server who may use all databases. */
export const MONGODB_USER = 'gatehouse'

/**
 * Returns the passwords of `file`. Missing ones are generated and stored, so that a stack has the same ones at each start. Only the owner of the file
 * can read it. Throws a {@link LocalStackError} if the file is damaged.
 */
export async function takeCredentials(
  file: string,
  natsUsers: readonly string[],
  { mongodb, redis }: StoreUsers = NO_USERS,
): Promise<StackPasswords> {
  const known = await readCredentials(file)
  const each = (users: readonly string[], passwords: Record<string, string> = {}) => ({
    ...passwords,
    ...Object.fromEntries(users.map((user) => [user, passwords[user] ?? newPassword()])),
  })
  const credentials: StackPasswords = {
    nats: each(natsUsers, known.nats),
    redis: known.redis ?? newPassword(),
    mongodb: known.mongodb ?? newPassword(),
    mongodbUsers: each(Object.keys(mongodb), known.mongodbUsers),
    redisUsers: each(Object.keys(redis), known.redisUsers),
  }
  await writePrivate(file, `${JSON.stringify(credentials, null, 2)}\n`)
  return credentials
}

async function readCredentials(file: string): Promise<Partial<StackPasswords>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    return JSON.parse(text) as Partial<StackPasswords>
  } catch {
    // The error would repeat parts of the file.
    throw new LocalStackError(`${file} is damaged: delete it, the next start makes other passwords.`)
  }
}

/** 256 random bits, in characters that need no escape in URLs and configuration files. */
function newPassword(): string {
  return randomBytes(32).toString('hex')
}
