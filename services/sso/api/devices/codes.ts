import { createHmac, randomInt } from 'node:crypto'
import { derivedKey } from '@gatehouse/proto/storage/tokens.ts'

/** Signs that nobody takes for others, in print or by ear: no vowels, so that no word comes about, and of look-alikes (8 and B) only one. */
const ALPHABET = 'CDFHJKLMNPQRTVWX23456789'
const LENGTH = 8
/** As badges have it: up to 15 % of the modules may be covered, with the margin that ISO/IEC 18004 requires. */
const QR_CODE = { type: 'svg', errorCorrectionLevel: 'M', margin: 4 } as const

/** One-time codes, which devices exchange for their tokens. */
export class DeviceCodes {
  readonly #scanner: string
  readonly #key: Buffer

  /** `base`: `PUBLIC_URL`, without a slash at its end. */
  constructor(base: string, secrets_key: string) {
    this.#scanner = `${base}/scanner/`
    this.#key = derivedKey(secrets_key, 'device codes')
  }

  /** A random code: `CDFH-2345`. */
  create(): string {
    const signs = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    return `${signs.slice(0, LENGTH / 2)}-${signs.slice(LENGTH / 2)}`
  }

  /** The hash of a code as it was typed, which is stored in its place. It is keyed: the few codes there are could all be hashed. */
  hashOf(code: string): string {
    const signs = code.toUpperCase().replace(/[\s-]/g, '')
    return createHmac('sha256', this.#key).update(signs).digest('hex')
  }

  /** The address that opens the scanner with a code. Browsers send no server what is behind the `#`. */
  addressOf(code: string): string {
    return `${this.#scanner}#${code}`
  }

  /** That address as a QR code: an SVG document. */
  async qrCodeOf(code: string): Promise<string> {
    // Loaded for the first device only: it takes over 10 MiB.
    const { default: QRCode } = await import('qrcode')
    return QRCode.toString(this.addressOf(code), QR_CODE)
  }
}
