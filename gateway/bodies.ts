import type { IncomingMessage } from 'node:http'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { type Action, MAX_BATCH, maxBytesOf, tooManyItems } from '@gatehouse/proto/declaring/resource.ts'
import { XmlReader } from '@gatehouse/proto/formats/xml.ts'
import type { FastifyRequest } from 'fastify'
import type { BodyShare } from './body-budget.ts'
import { type BodyMeter, formMeter, jsonMeter, xmlMeter } from './body-meters.ts'
import { readForm } from './forms.ts'

/** Bytes up to which a body is read without further ado. */
const SMALL = 4096
/** Bytes from which on a body is looked at in slices. */
const LARGE = 64 * 1024
/** Bytes that a form may hold, whatever its action takes. */
const FORM_BYTES = 1024 * 1024
/** Characters of XML that are read in one go: a few milliseconds, whatever they are. */
const XML_SLICE = 8192

/** How bodies of a media type are read. */
interface Format {
  /** The most bytes that a body of this type may hold. */
  maxBytes: number
  meter(schema: SchemaNode): BodyMeter
  /** Makes JSON of it, for the services. */
  converter(schema: SchemaNode): Converter
}

/** Makes JSON of a body that comes in pieces. */
interface Converter {
  write(chunk: Buffer): void | Promise<void>
  end(): Buffer | Promise<Buffer>
}

const xml: Format = {
  maxBytes: Number.POSITIVE_INFINITY,
  meter: xmlMeter,
  converter: (schema) => new XmlConverter(schema),
}

const formats: Record<string, Format> = {
  // The service parses it: the bytes pass through.
  'application/json': { maxBytes: Number.POSITIVE_INFINITY, meter: jsonMeter, converter: () => new Collector() },
  'application/xml': xml,
  'text/xml': xml,
  'application/x-www-form-urlencoded': { maxBytes: FORM_BYTES, meter: formMeter, converter: () => new FormConverter() },
}

/** The media types that a body may have. */
export const acceptedTypes = Object.keys(formats)

/** The media type of a request, in lower case and without parameters. */
export function mediaTypeOf({ headers }: FastifyRequest): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * Reads the body of a request as the JSON bytes that the services read; empty where it has none. What can be no valid body is refused while
 * it comes in: `unsupported` (415), `too_large` (413), `malformed` (400), `unavailable` (503) where too much is on its way at once.
 */
export async function readBody(request: FastifyRequest, action: Action, share: BodyShare): Promise<Buffer> {
  const { raw } = request
  const length = lengthOf(request)
  if (length === 0) return Buffer.alloc(0)
  const format = formats[mediaTypeOf(request)]
  if (!format) throw new Fault('unsupported')
  const schema = action.body as SchemaNode
  const limit = Math.min(maxBytesOf(action), format.maxBytes)
  const isSmall = length !== undefined && length <= SMALL
  if (isSmall) timeSlicer.noteRequest()
  const meter = isSmall ? undefined : format.meter(schema)
  return receive(raw, length, limit, share, format.converter(schema), meter)
}

/** Reads the body of a request as a file. Throws `unsupported` (415), `too_large` (413), or `invalid` (422) where there is nothing. */
export async function readFile(request: FastifyRequest, action: Action, share: BodyShare): Promise<Buffer> {
  if (!action.upload?.types.includes(mediaTypeOf(request))) throw new Fault('unsupported')
  const file = await receive(request.raw, lengthOf(request), maxBytesOf(action), share, new Collector())
  if (file.length === 0) throw new Fault('invalid', undefined, { file: ["can't be blank"] })
  return file
}

/** Reads the body of a request as text of at most so many bytes. Throws `too_large` (413). */
export async function readText(request: FastifyRequest, maxBytes: number, share: BodyShare): Promise<string> {
  if (lengthOf(request) === 0) return ''
  return (await receive(request.raw, lengthOf(request), maxBytes, share, new Collector())).toString('utf8')
}

/** What the request says of its body's length, in bytes: 0 where it has none, undefined where it comes in chunks. */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

async function receive(
  raw: IncomingMessage,
  length: number | undefined,
  limit: number,
  share: BodyShare,
  converter: Converter,
  meter?: BodyMeter,
): Promise<Buffer> {
  if (length !== undefined && length > limit) throw tooLarge(limit)
  const isSmall = length !== undefined && length <= SMALL
  let received = 0
  for await (const chunk of chunksOf(raw)) {
    received += chunk.length
    if (received > limit) throw tooLarge(limit)
    // What has come, and not what was announced: who sends slowly holds little.
    if (!isSmall) share.take(chunk.length)
    if (meter) {
      share.parse(chunk.length)
      if (received > LARGE) await timeSlicer.run(() => meter(chunk))
      else meter(chunk)
    }
    const writing = converter.write(chunk)
    if (writing) await writing
  }
  return converter.end()
}

/** A body as it comes. Throws `malformed` where it breaks off, which nobody is there to read. */
async function* chunksOf(raw: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // The connection stays where the body is refused, so that the client can read why.
    yield* raw.iterator({ destroyOnReturn: false })
  } catch {
    throw new Fault('malformed', 'The request broke off')
  }
}

/** A size as it is read: `256 KiB`, `10 MiB`. */
export function sizeText(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`
}

function tooLarge(limit: number): Fault {
  return new Fault('too_large', `The body is larger than ${sizeText(limit)}`)
}

class Collector implements Converter {
  readonly #chunks: Buffer[] = []

  write(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  end(): Buffer {
    const [first] = this.#chunks
    return first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
  }
}

class FormConverter implements Converter {
  readonly #form = new Collector()

  write(chunk: Buffer): void {
    this.#form.write(chunk)
  }

  end(): Buffer | Promise<Buffer> {
    const form = this.#form.end()
    const convert = (): Buffer => Buffer.from(JSON.stringify(readForm(form.toString('utf8'))))
    return form.length <= SMALL ? convert() : timeSlicer.run(convert)
  }
}

/** Reads XML as it comes, in slices; of a list only the JSON of its items is kept. */
class XmlConverter implements Converter {
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

/** Bytes in which a document declares its encoding. */
const DECLARATION_BYTES = 200

/** Decodes text in the encoding that its first bytes declare. */
class Decoder {
  #first = Buffer.alloc(0)
  #encoding = 'utf-8'
  #decoder: TextDecoder | undefined

  /** The text of a piece; nothing as long as the first bytes are not complete. */
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
