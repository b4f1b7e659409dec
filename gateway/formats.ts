import type { IncomingMessage } from 'node:http'
import { Fault } from '@gatehouse/proto/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/fields.ts'
import { readXml } from '@gatehouse/proto/xml.ts'
import qs from 'qs'

/** The Content-Type of answers. */
export const contentTypes = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  problem: 'application/problem+json; charset=utf-8',
} as const

const FORMAT = Symbol('format')

interface Suffixed extends IncomingMessage {
  [FORMAT]?: string
}

/** Paths that are about the gateway itself, or single sign-on, and whose suffix is no format. */
const OWN_PATHS = /^\/(livez|readyz|openapi\.json|docs|sso)(\/|\?|$)/

/** Takes the suffix off a request's URL and remembers it; routes are written without it. */
export function takeSuffix(request: Suffixed): string {
  const url = request.url ?? '/'
  if (OWN_PATHS.test(url)) return url
  const query = url.indexOf('?')
  const end = query < 0 ? url.length : query
  const dot = url.lastIndexOf('.', end - 1)
  const suffix = url.slice(dot + 1, end)
  // A slash after the dot, or nothing before it in its segment: it is part of a name.
  const found = dot > 0 && url[dot - 1] !== '/' && /^[A-Za-z0-9]+$/.test(suffix)
  request[FORMAT] = found ? suffix : ''
  return found ? url.slice(0, dot) + url.slice(end) : url
}

/** The suffix of a request's path; empty where it has none. */
export function formatOf(request: Suffixed): string {
  return request[FORMAT] ?? ''
}

const readers: Record<string, (bytes: Buffer, schema: SchemaNode) => Buffer> = {
  // The service parses it: the bytes pass through.
  'application/json': (bytes) => bytes,
  'application/xml': (bytes, schema) => toJson(readXml(decode(bytes), schema)),
  'text/xml': (bytes, schema) => toJson(readXml(decode(bytes), schema)),
  'application/x-www-form-urlencoded': (bytes) => toJson(readForm(bytes.toString('utf8'))),
}

/** The media types that a body may have. */
export const acceptedTypes = Object.keys(readers)

/** A body of an accepted media type as the JSON bytes that the services read. Throws `malformed` (400) or `unsupported` (415). */
export function toJsonBytes(bytes: Buffer, mediaType: string, schema: SchemaNode): Buffer {
  const read = readers[mediaType]
  if (!read) throw new Fault('unsupported')
  return read(bytes, schema)
}

function toJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function decode(bytes: Buffer): string {
  const [, encoding = 'utf-8'] =
    /^[^>]{0,100}?encoding=["']([\w-]+)["']/.exec(bytes.subarray(0, 200).toString('latin1')) ?? []
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new Fault('malformed', `The body is not valid ${encoding}`)
  }
}

/** What a form may hold. Its lists are read in the square of their length: longer ones have to come as JSON or XML. */
const FORM = { values: 10_000, items: 1_000, levels: 6 }

/** `guest[first_name]=Ada&guest[guest_metadata][][name]=job&guest[guest_metadata][][value]=poet`, as Rails writes forms. */
function readForm(form: string): unknown {
  const numbered = numberListItems(form)
  try {
    return qs.parse(numbered, {
      depth: FORM.levels,
      arrayLimit: FORM.items,
      parameterLimit: FORM.values,
      strictDepth: true,
      throwOnLimitExceeded: true,
    })
  } catch {
    const { values, items, levels } = FORM
    throw new Fault('malformed', `A form may hold ${values} values, ${items} of a list, ${levels} levels deep`)
  }
}

/** In `list[][key]` a key that comes again begins the next item: says so with numbers, which every form reader understands. */
function numberListItems(form: string): string {
  const items = new Map<string, { index: number; seen: Set<string> }>()
  return form
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      const name = equals < 0 ? pair : pair.slice(0, equals)
      // Whatever the name, its first `[][` is the only place where this can match: no input makes it search for long.
      const [, list, key] = /^(.*?)(?:\[|%5B)(?:\]|%5D)((?:\[|%5B).+)$/is.exec(name) ?? []
      if (list === undefined || key === undefined) return pair
      const item = items.get(list) ?? { index: 0, seen: new Set() }
      if (item.seen.has(key)) {
        item.index++
        item.seen.clear()
      }
      item.seen.add(key)
      items.set(list, item)
      return `${list}[${item.index}]${key}${pair.slice(name.length)}`
    })
    .join('&')
}
