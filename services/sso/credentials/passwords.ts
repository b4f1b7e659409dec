import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'

const derive = promisify(argon2)

/** Fewest characters of a password. */
export const SHORTEST = 8
/** Most characters of a password. */
export const LONGEST = 1_000

/** Argon2id parameters of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

/** The errors of a password; empty if it is suitable. */
export function passwordProblem(password: string): Message | undefined {
  const length = [...password].length
  if (length < SHORTEST) return messageOf('too_short', { limit: SHORTEST })
  return length > LONGEST ? messageOf('too_long', { limit: LONGEST }) : undefined
}

/** Argon2id of a password or code, in the usual form: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const hash = await derive('argon2id', {
    message: bytesOf(password),
    nonce,
    parallelism: LANES,
    tagLength: HASH_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  })
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(nonce)}$${unpadded(hash)}`
}

/** A hash that no password has: an unknown contact is refused in the same time as a mistyped password. */
const NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(Buffer.alloc(SALT_BYTES))}$${unpadded(Buffer.alloc(HASH_BYTES))}`

/** Whether a password or code has this hash. Takes as long without a hash. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const { parameters, hash } = read(stored ?? NOBODY)
  const given = await derive('argon2id', { ...parameters, message: bytesOf(password) })
  return timingSafeEqual(given, hash) && stored !== null
}

/** Normalized bytes: text that looks the same gives the same bytes, however a keyboard composes it. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/** Compares by the parameters in the hash, so hashes with other parameters stay valid. */
function read(stored: string): { parameters: Omit<Argon2Parameters, 'message'>; hash: Buffer } {
  const [, memory, passes, lanes, salt = '', hash = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) ?? []
  if (hash === '') throw new Error('a stored password hash cannot be read')
  const tag = Buffer.from(hash, 'base64')
  return {
    parameters: {
      nonce: Buffer.from(salt, 'base64'),
      parallelism: Number(lanes),
      tagLength: tag.length,
      memory: Number(memory),
      passes: Number(passes),
    },
    hash: tag,
  }
}
