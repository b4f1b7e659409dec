/** A PIN as this device keeps it: salted and hashed, with what keeps guessing slow. */
export interface StoredPin {
  salt: Uint8Array<ArrayBuffer>
  hash: Uint8Array<ArrayBuffer>
  iterations: number
  /** How many wrong entries there were in a row. */
  wrong: number
  /** Until when no entry is taken, in ms by this device's clock; 0 if entries are. */
  waits_until: number
}

const ITERATIONS = 250_000
const SALT_BYTES = 16
const HASH_BITS = 256

/** After so many wrong entries in a row the next one has to wait. */
const MOST_WRONG = 5
/** For how long it has to. */
const WAIT_MS = 30_000

/** A PIN as it was typed, also with the wide digits of Japanese keyboards; undefined if it is none. */
export function readPin(typed: string): string | undefined {
  const pin = typed.normalize('NFKC').trim()
  return /^[0-9]{4,8}$/.test(pin) ? pin : undefined
}

/** A PIN as it is kept. */
export async function storedPin(pin: string): Promise<StoredPin> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  return { salt, hash: await hashOf(pin, salt, ITERATIONS), iterations: ITERATIONS, wrong: 0, waits_until: 0 }
}

/** Whether this is the PIN that is kept. */
export async function isRight(pin: string, { salt, hash, iterations }: StoredPin): Promise<boolean> {
  return isSame(await hashOf(pin, salt, iterations), hash)
}

/** How long the next entry has to wait, in ms. A clock that was set back does not make it longer. */
export function waitOf({ waits_until }: StoredPin, now: number): number {
  const left = waits_until - now
  return left > 0 && left <= WAIT_MS ? left : 0
}

/** The PIN with one more wrong entry. */
export function withWrongEntry(pin: StoredPin, now: number): StoredPin {
  const wrong = pin.wrong + 1
  return wrong < MOST_WRONG ? { ...pin, wrong, waits_until: 0 } : { ...pin, wrong: 0, waits_until: now + WAIT_MS }
}

async function hashOf(
  pin: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, HASH_BITS))
}

/** Compares in a time that does not depend on where they differ. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0)
  return difference === 0
}
