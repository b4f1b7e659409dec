import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, deserialize } from 'bson'
import { fieldOf } from './bson-fields.ts'
import type { Command } from './messages.ts'
import { documentsOf } from './writes.ts'

/** Commands of the driver itself. */
const DRIVERS = new Set(['endSessions', 'getMore', 'hello', 'killCursors', 'ping', 'saslContinue', 'saslStart'])

/** Operators whose value is a list of alternatives; what is in it does not matter. */
const LISTS = new Set(['$all', '$each', '$in', '$nin'])
/** A part of a path that is data: an id, a language, a number. */
const DATA = /^(\d+|[0-9a-f]{24}|[0-9a-f-]{36}|[A-Za-z0-9_-]{20,})$/

/**
 * Writes each new shape of a command of a client that declares `apiStrict`, a line each, into a file of the folder: the service, whose name ends
 * its database's, the command, the collection, and what it asks with `?` for each value.
 */
export function shapeRecorder(folder: string): (command: Command) => void {
  const known = new Set<string>()
  const file = join(folder, `${process.pid}.txt`)
  return (command) => {
    if (!fieldOf(command.body, 'apiStrict') || DRIVERS.has(command.name)) return
    const service = command.db.slice(command.db.lastIndexOf('_') + 1)
    const lines = shapesOf(command).map((shape) => `${service}\t${shape}\n`)
    const added = lines.filter((line) => !known.has(line))
    for (const line of added) known.add(line)
    if (added.length) appendFileSync(file, added.join(''))
  }
}

function shapesOf(command: Command): string[] {
  const { name, collection } = command
  const body = deserialize(command.body)
  const line = (...parts: (string | false | undefined)[]) => [name, collection, ...parts].filter(Boolean).join(' ')
  const many = (list: string) => documentsOf(command, list).map((statement) => deserialize(statement))
  switch (name) {
    case 'find':
    case 'count':
    case 'distinct':
      return [line(body.key, shape(body.filter ?? body.query ?? {}), ordered(body))]
    case 'aggregate':
      return [line(shape(body.pipeline), ordered(body))]
    case 'insert':
      return [line(), ...many('documents').flatMap((document) => arraysIn(collection, document))]
    case 'update':
      return many('updates').flatMap(({ q, u, ...options }) => [
        line(shape(q), operators(u), options.multi && 'multi', options.upsert && 'upsert', ordered(options)),
        ...arraysSet(collection, u),
      ])
    case 'delete':
      return many('deletes').map(({ q, limit, ...options }) => line(shape(q), limit === 0 && 'multi', ordered(options)))
    case 'findAndModify':
      return [
        line(
          shape(body.query),
          body.remove ? 'remove' : operators(body.update),
          body.upsert && 'upsert',
          ordered(body),
        ),
        ...arraysSet(collection, body.update),
      ]
    case 'createIndexes':
      return (body.indexes as Document[]).map(({ key, name: named, partialFilterExpression: partial, ...options }) =>
        line(
          JSON.stringify(key),
          named !== Object.entries(key).join('_').replaceAll(',', '_') && `name ${named}`,
          ...Object.keys(options).sort(),
          partial && `partial ${shape(partial)}`,
        ),
      )
    default:
      return [line()]
  }
}

/** The order and the index that a command names. */
function ordered({ sort, hint }: Document): string {
  return [sort && `sort ${JSON.stringify(sort)}`, hint && `hint ${JSON.stringify(hint)}`].filter(Boolean).join(' ')
}

/** A value with `?` for what is data; the conditions of a filter in the order of their names. */
function shape(value: unknown, key = ''): string {
  if (value === null || typeof value === 'boolean') return String(value)
  // A path of a field, in an expression.
  if (typeof value === 'string') return value.startsWith('$') ? path(value) : '?'
  if (Array.isArray(value)) {
    if (LISTS.has(key)) return '[?]'
    return `[${unique(value.map((each) => shape(each)))}]`
  }
  if (!isPlain(value)) return '?'
  const entries = Object.entries(value).map(([name, each]) => `${path(name)}: ${shape(each, name)}`)
  return `{${unique(key === '' ? entries.sort() : entries)}}`
}

function unique(shapes: string[]): string {
  return [...new Set(shapes)].join(', ')
}

function path(name: string): string {
  return name
    .split('.')
    .map((part) => (DATA.test(part) ? '*' : part))
    .join('.')
}

function isPlain(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** The operators of an update; a replacement has none. */
function operators(update: Document | Document[]): string {
  if (Array.isArray(update)) return shape(update)
  const names = Object.keys(update).filter((name) => name.startsWith('$'))
  return names.length ? names.sort().join() : 'replacement'
}

/** Lines for fields that hold arrays: an index covers one of them at most. */
function arraysIn(collection: string | undefined, document: Document, before = ''): string[] {
  return Object.entries(document).flatMap(([name, value]) => {
    const at = path(before + name)
    if (Array.isArray(value)) return [`array ${collection} ${at}`]
    return isPlain(value) ? arraysIn(collection, value, `${at}.`) : []
  })
}

function arraysSet(collection: string | undefined, update: Document | undefined): string[] {
  if (!update || Array.isArray(update)) return []
  const { $set, $setOnInsert, $push, $addToSet, ...rest } = update
  const grown = Object.keys({ ...$push, ...$addToSet }).map((name) => `array ${collection} ${path(name)}`)
  const replaced = Object.keys(rest).some((name) => name.startsWith('$')) ? {} : rest
  return [...grown, ...arraysIn(collection, { ...replaced, ...$setOnInsert, ...$set })]
}
