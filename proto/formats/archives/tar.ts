/*
 * Files in one file, one after the other (POSIX.1-1988, ustar): it can be written and read as a stream, and every system opens it.
 */

const BLOCK = 512
/** The longest name, in bytes. */
const NAME = 100
const SIZE = { at: 124, length: 12 }
const CHECKSUM = { at: 148, length: 8 }
/** What an entry may have: a reader has all of it in memory. */
const MAX_BYTES = 64 * 1024 * 1024

/** A file in a tar file. */
export interface TarEntry {
  name: string
  bytes: Uint8Array
}

/** The end of a tar file: two empty blocks. */
export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK)

/** A file that is no tar file, or was cut off. */
export class BrokenTar extends Error {
  readonly isCutOff: boolean

  constructor(isCutOff: boolean) {
    super(isCutOff ? 'The tar file was cut off' : 'The file is not a tar file')
    this.isCutOff = isCutOff
  }
}

/** An entry as it stands in a tar file. Its name is in ASCII, and at most 100 characters. */
export function tarEntry({ name, bytes }: TarEntry, at: Date): Uint8Array {
  if (!/^[!-~]+$/.test(name) || name.length > NAME) throw new Error(`${name} cannot be a name in a tar file`)
  const whole = new Uint8Array(BLOCK + Math.ceil(bytes.length / BLOCK) * BLOCK)
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  const put = (at: number, text: string): void => void new TextEncoder().encodeInto(text, whole.subarray(at))
  put(0, name)
  put(100, octal(0o600, 8) + octal(0, 8) + octal(0, 8))
  put(SIZE.at, octal(bytes.length, SIZE.length))
  put(136, octal(Math.floor(at.getTime() / 1_000), 12))
  put(CHECKSUM.at, ' '.repeat(CHECKSUM.length))
  put(156, '0')
  put(257, 'ustar\x0000')
  put(CHECKSUM.at, `${octal(sumOf(whole.subarray(0, BLOCK)), CHECKSUM.length - 1)} `)
  whole.set(bytes, BLOCK)
  return whole
}

/** The entries of a tar file as it comes. Throws {@link BrokenTar} if it is none, or ends too early. */
export async function* tarEntries(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const input = new Input(bytes)
  for (;;) {
    const header = await input.take(BLOCK)
    if (!header) throw new BrokenTar(true)
    if (header.every((byte) => byte === 0)) return
    const entry = read(header)
    const content = await input.take(Math.ceil(entry.size / BLOCK) * BLOCK)
    if (!content) throw new BrokenTar(true)
    yield { name: entry.name, bytes: content.subarray(0, entry.size) }
  }
}

function read(header: Uint8Array): { name: string; size: number } {
  const text = (at: number, length: number): string =>
    new TextDecoder().decode(header.subarray(at, at + length)).replace(/\0.*$/s, '')
  const number = (at: number, length: number): number => Number.parseInt(text(at, length).trim() || '0', 8)
  const size = number(SIZE.at, SIZE.length)
  const plain = header.slice().fill(0x20, CHECKSUM.at, CHECKSUM.at + CHECKSUM.length)
  const isRight = sumOf(plain) === number(CHECKSUM.at, CHECKSUM.length) && size >= 0 && size <= MAX_BYTES
  if (!isRight) throw new BrokenTar(false)
  return { name: text(0, NAME), size }
}

function sumOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + byte, 0)
}

/** Bytes that come in pieces, taken in lengths of one's own. */
class Input {
  readonly #pieces: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#pieces = bytes[Symbol.asyncIterator]()
  }

  /** The next bytes; undefined if there are fewer. */
  async take(length: number): Promise<Uint8Array | undefined> {
    const pieces = [this.#rest]
    let count = this.#rest.length
    while (count < length) {
      const { value, done } = await this.#pieces.next()
      if (done) return undefined
      pieces.push(value)
      count += value.length
    }
    const all = pieces.length === 1 ? this.#rest : joined(pieces, count)
    this.#rest = all.subarray(length)
    return all.subarray(0, length)
  }
}

/** Pieces as one. */
export function joined(pieces: readonly Uint8Array[], count: number): Uint8Array {
  const all = new Uint8Array(count)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
