import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { MAX_BATCH, tooManyItems } from '@gatehouse/proto/declaring/resource.ts'
import { XmlReader } from '@gatehouse/proto/formats/xml.ts'
import { readForm } from './forms.ts'
import { XmlDecoder } from './xml-decoder.ts'

/** Bytes of XML or of a form that are converted at once. */
const SMALL = 4096
/** Characters of XML that are read at once in a larger document: a few milliseconds, whatever they are. */
const XML_SLICE = 8192

/** Makes JSON of a body that arrives in chunks. Throws `malformed` (400) or `too_large` (413). */
export interface BodyConverter {
  write(chunk: Buffer): void | Promise<void>
  end(): Buffer | Promise<Buffer>
}

/** Leaves a body as it is. */
export class PlainConverter implements BodyConverter {
  readonly #chunks: Buffer[] = []

  write(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  end(): Buffer {
    const [first] = this.#chunks
    return first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
  }
}

/** Makes JSON of a form. */
export class FormConverter implements BodyConverter {
  readonly #chunks: Buffer[] = []

  write(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  end(): Buffer | Promise<Buffer> {
    const form = withBlanks(Buffer.concat(this.#chunks))
    const convert = (): Buffer => Buffer.from(JSON.stringify(readForm(form.toString('utf8'))))
    return form.length <= SMALL ? convert() : timeSlicer.run(convert)
  }
}

const [PLUS, BLANK] = [0x2b, 0x20]

/** A form with the blanks that its plus signs stand for: URLSearchParams takes fifty times as long to replace them. */
function withBlanks(form: Buffer): Buffer {
  for (let at = 0; at < form.length; at++) if (form[at] === PLUS) form[at] = BLANK
  return form
}

/** Makes JSON of XML while it arrives, in slices. It keeps only the JSON of a list's items. */
export class XmlConverter implements BodyConverter {
  readonly #isList: boolean
  readonly #items: string[] = []
  readonly #reader: XmlReader
  readonly #decoder: XmlDecoder
  #received = 0

  /** `charset` is that of the request's head. */
  constructor(schema: SchemaNode, charset?: string) {
    this.#decoder = new XmlDecoder(charset)
    this.#isList = schema.type === 'array'
    this.#reader = new XmlReader(schema, this.#isList ? (item) => this.#add(item) : undefined)
  }

  #add(item: unknown): void {
    if (this.#items.push(JSON.stringify(item)) > MAX_BATCH) throw tooManyItems()
  }

  write(chunk: Buffer): void | Promise<void> {
    this.#received += chunk.length
    const text = this.#decoder.decode(chunk)
    return this.#received <= SMALL ? this.#reader.write(text) : this.#writeInSlices(text)
  }

  async #writeInSlices(text: string): Promise<void> {
    for (let at = 0; at < text.length; at += XML_SLICE) {
      await timeSlicer.run(() => this.#reader.write(text.slice(at, at + XML_SLICE)))
    }
  }

  end(): Buffer {
    this.#reader.write(this.#decoder.end())
    const value = this.#reader.end()
    return Buffer.from(this.#isList ? `[${this.#items.join(',')}]` : JSON.stringify(value))
  }
}
