/*
 * Columns of a snapshot as texts: bytes as base 64, and numbers from 0 on as varints (seven bits a byte, the lowest first, with the eighth bit set in
 * all bytes but the last of a number), again as base 64.
 */

/** Bytes in one call: engines limit how many arguments it may have. */
const CHUNK = 8_192

/** Bytes as base 64. */
function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let from = 0; from < bytes.length; from += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK))
  return btoa(binary)
}

/** Numbers that are collected for a column. */
export class Varints {
  #bytes = new Uint8Array(64)
  #size = 0

  add(number: number): void {
    if (this.#size + 5 > this.#bytes.length)
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(this.#bytes.length * 2))
    let rest = number
    while (rest > 127) {
      this.#bytes[this.#size++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#size++] = rest
  }

  /** The column. */
  toString(): string {
    return toBase64(this.#bytes.subarray(0, this.#size))
  }
}

/** The numbers of a column of {@link Varints}. */
export function readVarints(text: string): number[] {
  const binary = atob(text)
  const numbers: number[] = []
  let [number, shift] = [0, 0]
  for (let at = 0; at < binary.length; at++) {
    const byte = binary.charCodeAt(at)
    number += (byte & 127) * 2 ** shift
    shift += 7
    if (byte > 127) continue
    numbers.push(number)
    number = 0
    shift = 0
  }
  return numbers
}

/** Rising numbers that are collected for a column: each is written as its distance from the one before. */
export class RisingVarints {
  readonly #distances = new Varints()
  #last = 0

  add(number: number): void {
    this.#distances.add(number - this.#last)
    this.#last = number
  }

  toString(): string {
    return this.#distances.toString()
  }
}

/** The numbers of a column of {@link RisingVarints}. */
export function readRisingVarints(text: string): number[] {
  let last = 0
  return readVarints(text).map((distance) => {
    last += distance
    return last
  })
}
