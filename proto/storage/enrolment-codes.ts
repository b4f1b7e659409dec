import { createHmac, randomInt } from 'node:crypto'
import { qrCodeOf } from '../formats/qr-code.ts'
import { derivedKey } from './tokens.ts'

/** Signs that nobody takes for others, in print or by ear: no vowels, so that no word comes about, and of look-alikes (8 and B) only one. */
const ALPHABET = 'CDFHJKLMNPQRTVWX23456789'
/** Signs between two dashes. */
const GROUP = 4

interface EnrolmentCodesOptions {
  /** `PUBLIC_URL`, without a slash at its end. */
  base: string
  secrets_key: string
  /** What the codes are for: those of another purpose have other hashes. */
  purpose: string
  /** How many groups of four signs a code has: the longer it is good, the harder it has to be to guess. */
  groups: number
}

/** One-time codes, which phones exchange for their tokens. */
export class EnrolmentCodes {
  readonly #base: string
  readonly #key: Buffer
  readonly #groups: number

  constructor({ base, secrets_key, purpose, groups }: EnrolmentCodesOptions) {
    this.#base = base
    this.#key = derivedKey(secrets_key, purpose)
    this.#groups = groups
  }

  /** A random code: `CDFH-2345`; with more groups one that may be good for longer. */
  create(groups = this.#groups): string {
    const sign = () => ALPHABET[randomInt(ALPHABET.length)]
    return Array.from({ length: groups }, () => Array.from({ length: GROUP }, sign).join('')).join('-')
  }

  /** The hash of a code as it was typed, which is stored in its place. It is keyed: the few codes there are could all be hashed. */
  hashOf(code: string): string {
    const signs = code.toUpperCase().replace(/[\s-]/g, '')
    return createHmac('sha256', this.#key).update(signs).digest('hex')
  }

  /** The address that opens one of the web apps with a code. Browsers send no server what is behind the `#`. */
  addressOf(code: string, page: string): string {
    return `${this.#base}/${page}/#${code}`
  }

  /** That address as a QR code: an SVG document. */
  async qrCodeOf(code: string, page: string): Promise<string> {
    return qrCodeOf(this.addressOf(code, page))
  }
}
