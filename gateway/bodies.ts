import type { IncomingMessage } from 'node:http'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Action, maxBytesOf } from '@gatehouse/proto/declaring/resource.ts'
import type { FastifyRequest } from 'fastify'
import type { BodyShare } from './body-budget.ts'
import { type BodyConverter, FormConverter, XmlConverter } from './body-converters.ts'
import { type BodyMeter, formMeter, jsonMeter, xmlMeter } from './body-meters.ts'
import { lengthOf, mediaTypeOf } from './request.ts'

/** Bytes up to which a body is neither measured nor counted. */
const SMALL = 4096
/** Bytes beyond which a body is measured in slices, and slowly while short requests are being served. */
const LARGE = 64 * 1024
/** Bytes which a form may hold, whatever its action allows. */
const FORM_BYTES = 1024 * 1024

/** How bodies of a media type are read. */
interface Format {
  maxBytes?: number
  meter(schema: SchemaNode): BodyMeter
  /** Absent if the bytes go to the service as they are. */
  converter?(schema: SchemaNode): BodyConverter
}

const xml: Format = { meter: xmlMeter, converter: (schema) => new XmlConverter(schema) }

const formats: Record<string, Format> = {
  'application/json': { meter: jsonMeter },
  'application/xml': xml,
  'text/xml': xml,
  'application/x-www-form-urlencoded': { maxBytes: FORM_BYTES, meter: formMeter, converter: () => new FormConverter() },
}

/** Takes the sender's share of the memory for bodies. The caller releases it when the body is no longer needed. */
type TakeShare = () => BodyShare

/**
 * Reads the body of a request: as the JSON which services read, or as a file; empty if there is none. Rejects as soon as the body cannot be
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
    const format = formats[mediaTypeOf(request)]
    if (!format) throw new Fault('unsupported')
    const limit = Math.min(maxBytes, format.maxBytes ?? Number.POSITIVE_INFINITY)
    const converter = format.converter?.(schema)
    if (!isSmall(length)) return receive(request, limit, takeShare, converter, format.meter(schema))
    timeSlicer.noteRequest()
    return receive(request, limit, takeShare, converter)
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

function isSmall(length: number | undefined): boolean {
  return length !== undefined && length <= SMALL
}

async function receive(
  request: FastifyRequest,
  limit: number,
  takeShare: TakeShare,
  converter?: BodyConverter,
  meter?: BodyMeter,
): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding.toLowerCase() !== 'identity') throw new Fault('unsupported', 'A compressed body is not accepted')
  const length = lengthOf(request)
  if (length !== undefined && length > limit) throw tooLarge(limit)
  const share = isSmall(length) ? undefined : takeShare()
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of chunksOf(request.raw)) {
    received += chunk.length
    if (received > limit) throw tooLarge(limit)
    // Counts what has arrived and not what was announced: a slow sender holds little.
    share?.take(chunk.length)
    if (meter) share?.parse(chunk.length)
    if (received > LARGE) await timeSlicer.run(() => meter?.(chunk), chunk.length)
    else meter?.(chunk)
    if (converter) await converter.write(chunk)
    else chunks.push(chunk)
  }
  if (converter) return converter.end()
  const [first] = chunks
  return first && chunks.length === 1 ? first : Buffer.concat(chunks)
}

/** The chunks of a body. Throws `malformed` if it breaks off, which no client is left to read. */
async function* chunksOf(raw: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // The connection stays open if the body is refused, so that the client can read why.
    yield* raw.iterator({ destroyOnReturn: false })
  } catch {
    throw new Fault('malformed', 'The request broke off')
  }
}

/** A size in words: `256 KiB`, `10 MiB`. */
export function sizeText(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`
}

function tooLarge(limit: number): Fault {
  return new Fault('too_large', `The body is larger than ${sizeText(limit)}`)
}
