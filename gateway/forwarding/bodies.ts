import type { IncomingMessage } from 'node:http'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Action, maxBytesOf } from '@gatehouse/proto/declaring/resource.ts'
import type { FastifyRequest } from 'fastify'
import { charsetOf, lengthOf, mediaTypeOf } from '../http/request.ts'
import type { BodyShare } from './body-budget.ts'
import { type BodyConverter, FormConverter, PlainConverter, XmlConverter } from './body-converters.ts'
import { type BodyMeter, formMeter, jsonMeter, xmlMeter } from './body-meters.ts'

/** Bytes up to which a body is neither measured nor counted. */
const SMALL = 4096
/** Bytes beyond which a body is measured in slices, and slowly while short requests are being served. */
const LARGE = 64 * 1024
/** Bytes that a form may hold, whatever its action allows. */
const FORM_BYTES = 1024 * 1024

/** How bodies of a media type are read. */
interface Format {
  maxBytes?: number
  meter(schema: SchemaNode): BodyMeter
  converter(schema: SchemaNode, charset: string | undefined): BodyConverter
}

const json: Format = { meter: jsonMeter, converter: () => new PlainConverter() }
const xml: Format = { meter: xmlMeter, converter: (schema, charset) => new XmlConverter(schema, charset) }
const form: Format = { maxBytes: FORM_BYTES, meter: formMeter, converter: () => new FormConverter() }

const FORM = 'application/x-www-form-urlencoded'
const formats: Record<string, Format> = {
  'application/json': json,
  'application/xml': xml,
  'text/xml': xml,
  [FORM]: form,
}

/** The format of a media type; `application/vnd.acme+xml` is XML too (RFC 6839). */
function formatOfType(type: string): Format | undefined {
  return formats[type] ?? (type.endsWith('+json') ? json : type.endsWith('+xml') ? xml : undefined)
}

/** The format of a body of a type, by its first bytes where the type does not tell. Throws `unsupported` (415). */
function formatOf(type: string, beginning: Buffer): Format {
  // curl and others call a body a form unless they are told what it is. No form begins so.
  if (type !== '' && type !== FORM) return formatOfType(type) ?? refuseType()
  const [first = ''] = beginning
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
  if (first === '{' || first === '[') return json
  if (type === FORM) return form
  if (first === '<') return xml
  throw new Fault('unsupported', 'The request has no Content-Type, and its body is neither JSON nor XML')
}

function refuseType(): never {
  throw new Fault('unsupported')
}

/** Takes the sender's share of the memory for bodies. The caller releases it when the body is no longer needed. */
type TakeShare = () => BodyShare

/**
 * Reads the body of a request: as the JSON that services read, or as a file; empty if there is none. Rejects as soon as the body cannot be
 * valid: `unsupported` (415), `too_large` (413), `malformed` (400), `invalid` (422) for an empty file, `too_many` (429) or `unavailable`
 * (503) beyond the sender's share.
 */
export type BodyReader = (request: FastifyRequest, takeShare: TakeShare) => Promise<Buffer>

/** The reader of an action's bodies; undefined if it takes none. */
export function bodyReaderOf({ body, upload, ...action }: Action): BodyReader | undefined {
  if (upload) return fileReaderOf(upload)
  return body && objectReaderOf(body as SchemaNode, maxBytesOf(action))
}

function objectReaderOf(schema: SchemaNode, maxBytes: number): BodyReader {
  return async (request, takeShare) => {
    const length = lengthOf(request)
    if (length === 0) return Buffer.alloc(0)
    const type = mediaTypeOf(request)
    if (type !== '' && !formatOfType(type)) refuseType()
    if (isSmall(length)) timeSlicer.noteRequest()
    return receive(request, maxBytes, takeShare, (beginning) => {
      const format = formatOf(type, beginning)
      return {
        ...(format.maxBytes !== undefined && { maxBytes: format.maxBytes }),
        converter: format.converter(schema, charsetOf(request)),
        ...(!isSmall(length) && { meter: format.meter(schema) }),
      }
    })
  }
}

/** The reader of files of these media types. */
export function fileReaderOf({ types, maxBytes }: NonNullable<Action['upload']>): BodyReader {
  return async (request, takeShare) => {
    if (!types.includes(mediaTypeOf(request))) throw new Fault('unsupported')
    const file = await receive(request, maxBytes, takeShare)
    if (file.length === 0) throw new Fault('invalid', undefined, { file: [messageOf('blank')] })
    return file
  }
}

/** Reads the body of a request, of at most `maxBytes`, as it is. Rejects with `too_large` (413). */
export async function readBytes(request: FastifyRequest, maxBytes: number, takeShare: TakeShare): Promise<Buffer> {
  return lengthOf(request) === 0 ? Buffer.alloc(0) : receive(request, maxBytes, takeShare)
}

/** What takes the chunks of a body. */
interface ChunkReader {
  converter: BodyConverter
  /** Absent for what needs no measuring. */
  meter?: BodyMeter
  /** What a body of this format may hold, where that is less than its action allows: only its first bytes tell which it is. */
  maxBytes?: number
}

function isSmall(length: number | undefined): boolean {
  return length !== undefined && length <= SMALL
}

async function receive(
  request: FastifyRequest,
  limit: number,
  takeShare: TakeShare,
  readerFor: (beginning: Buffer) => ChunkReader = () => ({ converter: new PlainConverter() }),
): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding.toLowerCase() !== 'identity') throw new Fault('unsupported', 'Compressed bodies are not accepted')
  const length = lengthOf(request)
  if (length !== undefined && length > limit) throw tooLarge(limit)
  const share = isSmall(length) ? undefined : takeShare()
  let reader: ChunkReader | undefined
  let received = 0
  for await (const chunk of chunksOf(request.raw)) {
    received += chunk.length
    reader ??= readerFor(chunk)
    const most = Math.min(limit, reader.maxBytes ?? limit)
    if (Math.max(received, length ?? 0) > most) throw tooLarge(most)
    // Counts what has arrived and not what was announced: a slow sender holds little.
    share?.take(chunk.length)
    const { meter, converter } = reader
    if (meter) share?.parse(chunk.length)
    if (received > LARGE) await timeSlicer.run(() => meter?.(chunk), chunk.length)
    else meter?.(chunk)
    await converter.write(chunk)
  }
  return reader ? reader.converter.end() : Buffer.alloc(0)
}

/** The chunks of a body. Throws `malformed` if it breaks off, which no client is left to read. */
async function* chunksOf(raw: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // The connection stays open if the body is refused, so that the client can read why.
    yield* raw.iterator({ destroyOnReturn: false })
  } catch {
    throw new Fault('malformed', 'The request was cut off')
  }
}

/** A size in words: `256 KiB`, `10 MiB`. */
export function sizeText(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`
}

function tooLarge(limit: number): Fault {
  return new Fault('too_large', `The body is larger than ${sizeText(limit)}`)
}
