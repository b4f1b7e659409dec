import { randomFillSync } from 'node:crypto'

/** Random bytes for hundreds of ids at once: a call costs more than its bytes. */
const pool = Buffer.alloc(8_192)
let used = pool.length

/** Returns so many random bytes, which nobody can guess, as hexadecimal digits. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
