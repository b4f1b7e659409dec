import { Fault } from '@gatehouse/proto/declaring/faults.ts'

/** Bytes within which a document declares its encoding. */
const DECLARATION_BYTES = 200
/** A document's first bytes that tell how wide its characters are, whatever is said of it. */
const BEGINNINGS: [bytes: number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x3c, 0x00], 'utf-16le'],
  [[0x00, 0x3c], 'utf-16be'],
]

/**
 * Decodes a document: by its first bytes, by the `charset` of the request, or by what it declares, in this order. Programs that write a document
 * to a string declare UTF-16 and send UTF-8; others send what they declare under a `charset` that their HTTP client adds.
 */
export class XmlDecoder {
  readonly #charset: string | undefined
  #first = Buffer.alloc(0)
  #encoding = 'utf-8'
  #decoder: TextDecoder | undefined
  /** What the document declares, where the request says UTF-8 and all bytes so far are ASCII. */
  #alternative: string | undefined
  #hasText = false

  constructor(charset: string | undefined) {
    this.#charset = charset
  }

  /** The text of a chunk; empty until the first bytes are complete. */
  decode(chunk: Buffer): string {
    if (this.#decoder) return this.#text(chunk)
    this.#first = Buffer.concat([this.#first, chunk])
    return this.#first.length < DECLARATION_BYTES ? '' : this.#begin()
  }

  /** The rest of the text. */
  end(): string {
    const rest = this.#decoder ? '' : this.#begin()
    return rest + this.#text()
  }

  #begin(): string {
    const first = this.#first
    const declared = /^[^>]{0,100}?encoding=["']([\w.:-]+)["']/.exec(
      first.toString('latin1', 0, DECLARATION_BYTES),
    )?.[1]
    const seen = BEGINNINGS.find(([bytes]) => bytes.every((byte, index) => first[index] === byte))?.[1]
    this.#encoding = seen ?? narrow(this.#charset) ?? narrow(declared) ?? 'utf-8'
    if (!seen && /^utf-?8$/.test(this.#encoding)) this.#alternative = narrow(declared)
    this.#decoder = this.#decoderOf(this.#encoding)
    return this.#text(first)
  }

  #text(chunk?: Buffer): string {
    const text = this.#decoded(chunk)
    if (this.#hasText) return text
    // White space before the declaration is a mistake that does no harm.
    const begun = text.trimStart()
    this.#hasText = begun !== ''
    return begun
  }

  #decoded(chunk: Buffer | undefined): string {
    try {
      const text = this.#decoder?.decode(chunk, { stream: chunk !== undefined }) ?? ''
      if (this.#alternative !== undefined && !isAscii(text)) this.#alternative = undefined
      return text
    } catch {
      if (this.#alternative === undefined || chunk === undefined) throw this.#notValid()
      this.#encoding = this.#alternative
      this.#alternative = undefined
      this.#decoder = this.#decoderOf(this.#encoding)
      return this.#decoded(chunk)
    }
  }

  #decoderOf(encoding: string): TextDecoder {
    try {
      return new TextDecoder(encoding, { fatal: true })
    } catch {
      throw this.#notValid()
    }
  }

  #notValid(): Fault {
    return new Fault('malformed', `The body is not valid ${this.#encoding}`)
  }
}

/** An encoding whose characters may be single bytes, as those of the document are; ASCII, the default of `text/xml`, says nothing. */
function narrow(encoding: string | undefined): string | undefined {
  return encoding === undefined || /^(utf-?16|ucs-?2|utf-?32|us-ascii$|ascii$)/i.test(encoding) ? undefined : encoding
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}
