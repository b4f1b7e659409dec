import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { MAX_BATCH, tooManyItems } from '@gatehouse/proto/declaring/resource.ts'
import { XmlReader } from '@gatehouse/proto/formats/xml.ts'
import { readForm } from './forms.ts'

/** Bytes of XML or of a form which are converted at once. */
const SMALL = 4096
/** Characters of XML which are read at once in a larger document: a few milliseconds, whatever they are. */
const XML_SLICE = 8192

/** Makes JSON of a body which arrives in chunks. Throws `malformed` (400) or `too_large` (413). */
export interface BodyConverter {
  write(chunk: Buffer): void | Promise<void>
  end(): Buffer | Promise<Buffer>
}

/** Makes JSON of a form. */
export class FormConverter implements BodyConverter {
  readonly #chunks: Buffer[] = []

  write(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  end(): Buffer | Promise<Buffer> {
    const form = Buffer.concat(this.#chunks)
    const convert = (): Buffer => Buffer.from(JSON.stringify(readForm(form.toString('utf8'))))
    return form.length <= SMALL ? convert() : timeSlicer.run(convert)
  }
}

/** Makes JSON of XML while it arrives, in slices. It keeps only the JSON of a list's items. */
export class XmlConverter implements BodyConverter {
  readonly #isList: boolean
  readonly #items: string[] = []
  readonly #reader: XmlReader
  readonly #decoder = new Decoder()
  #received = 0

  constructor(schema: SchemaNode) {
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

/** Bytes within which a document declares its encoding. */
const DECLARATION_BYTES = 200

/** Decodes text in the encoding which its first bytes declare. */
class Decoder {
  #first = Buffer.alloc(0)
  #encoding = 'utf-8'
  #decoder: TextDecoder | undefined

  /** The text of a chunk; empty until the first bytes are complete. */
  decode(chunk: Buffer): string {
    if (this.#decoder) return this.#text(this.#decoder, chunk)
    this.#first = Buffer.concat([this.#first, chunk])
    return this.#first.length < DECLARATION_BYTES ? '' : this.#begin()
  }

  /** The rest of the text. */
  end(): string {
    const rest = this.#decoder ? '' : this.#begin()
    return this.#decoder ? rest + this.#text(this.#decoder) : rest
  }

  #begin(): string {
    const declared = /^[^>]{0,100}?encoding=["']([\w-]+)["']/.exec(this.#first.toString('latin1', 0, DECLARATION_BYTES))
    this.#encoding = declared?.[1] ?? 'utf-8'
    try {
      this.#decoder = new TextDecoder(this.#encoding, { fatal: true })
    } catch {
      throw this.#notValid()
    }
    return this.#text(this.#decoder, this.#first)
  }

  #text(decoder: TextDecoder, chunk?: Buffer): string {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw this.#notValid()
    }
  }

  #notValid(): Fault {
    return new Fault('malformed', `The body is not valid ${this.#encoding}`)
  }
}
