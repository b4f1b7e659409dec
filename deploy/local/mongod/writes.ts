import { type Document, deserialize } from 'bson'
import { fieldOf, fieldsOf, withoutField } from './bson-fields.ts'
import { CODES, unpackCode } from './codes.ts'
import { duplicateOf, indexNamed } from './duplicates.ts'
import { bsonOf, type Engine, lane, TRIES } from './engine.ts'
import type { Command } from './messages.ts'

/** DocumentDB's answer to a batch. */
interface WriteResult extends Document {
  n: number
  nModified?: number
  upserted?: { index: number; _id: unknown }[]
  writeErrors?: { index: number; code: number; errmsg: string }[]
}

/**
 * A handler for `insert`, `update` or `delete`; `list` is the field of its documents. The hot path passes the command, its documents and a successful
 * answer on unchanged.
 */
export function write(
  name: string,
  list: string,
): (command: Command, context: { engine: Engine }) => Promise<Buffer | Document> {
  const sql = `SELECT p_result, p_success FROM documentdb_api.${name}($1, $2, $3)`
  return async (command, { engine }) => {
    const { db, body, sequences } = command
    const run = (spec: Buffer, documents: Buffer | null) => engine.call(name, sql, [db, spec, documents])
    const [result, success] = await run(body, sequences.get(list) ?? null)
    if (success === 't') return bsonOf(result)

    const documents = documentsOf(command, list)
    const spec = withoutField(body, list)
    const first = deserialize(bsonOf(result)) as WriteResult
    const retry = async (some: Buffer[]) =>
      deserialize(bsonOf((await run(spec, Buffer.concat(some)))[0])) as WriteResult
    const outcome =
      undoneIn(first).length > 0 ? await again(() => settle(first, documents, isOrdered(body), retry)) : first
    return await withMongoErrors(outcome, command, documents, engine)
  }
}

const again = lane()

/**
 * Retries the writes that conflicts with other sessions undid. An ordered batch ends with its first failure, so the writes after it are retried with
 * it.
 */
async function settle(
  outcome: WriteResult,
  documents: Buffer[],
  ordered: boolean,
  run: (documents: Buffer[]) => Promise<WriteResult>,
): Promise<WriteResult> {
  let sum = outcome
  for (let tries = 1; tries < TRIES; tries++) {
    const undone = undoneIn(sum)
    const [first] = undone
    if (!first) break
    const places = ordered
      ? Array.from({ length: documents.length - first.index }, (_, n) => first.index + n)
      : undone.map(({ index }) => index)
    const more = await run(places.map((place) => documents[place]!))
    sum = add(sum, more, places)
  }
  return sum
}

/** The writes that a conflict with another session undid. */
function undoneIn({ writeErrors = [] }: WriteResult) {
  return writeErrors.filter(({ code }) => unpackCode(code)?.code === CODES.writeConflict.code)
}

/** Adds the result of a retry of the writes at `places` to a result. */
function add(before: WriteResult, again: WriteResult, places: number[]): WriteResult {
  const placed = <T extends { index: number }>(entries: T[] = []) =>
    entries.map((entry) => ({ ...entry, index: places[entry.index]! }))
  const writeErrors = [
    ...(before.writeErrors ?? []).filter(({ index }) => !places.includes(index)),
    ...placed(again.writeErrors),
  ].sort((a, b) => a.index - b.index)
  const upserted = [...(before.upserted ?? []), ...placed(again.upserted)]
  const { writeErrors: _errors, upserted: _upserted, ...rest } = before
  return {
    ...rest,
    n: before.n + again.n,
    ...(before.nModified !== undefined && { nModified: before.nModified + (again.nModified ?? 0) }),
    ...(upserted.length > 0 && { upserted }),
    ...(writeErrors.length > 0 && { writeErrors }),
  }
}

/** The errors of single writes of a batch, with MongoDB's codes and messages. */
async function withMongoErrors(
  outcome: WriteResult,
  { name, db, collection = '' }: Command,
  documents: Buffer[],
  engine: Engine,
): Promise<WriteResult> {
  for (const error of outcome.writeErrors ?? []) {
    error.code = unpackCode(error.code)?.code ?? error.code
    if (error.code !== CODES.duplicateKey.code) continue
    const index = indexNamed(error.errmsg) ?? '_id_'
    const refused = name === 'insert' ? documents[error.index] : undefined
    const document = refused && deserialize(refused)
    Object.assign(error, await duplicateOf(engine, { db, collection, index, document }))
  }
  return outcome
}

/** The documents (or updates, or deletes) of a batch, from the body or its section. */
export function documentsOf({ body, sequences }: Command, list: string): Buffer[] {
  const sequence = sequences.get(list)
  if (sequence) {
    const documents: Buffer[] = []
    for (let at = 0; at < sequence.length; at += sequence.readInt32LE(at))
      documents.push(sequence.subarray(at, at + sequence.readInt32LE(at)))
    return documents
  }
  const field = fieldOf(body, list)
  if (!field) return []
  const array = body.subarray(field.start, field.end)
  return [...fieldsOf(array)].map(({ start, end }) => array.subarray(start, end))
}

function isOrdered(body: Buffer): boolean {
  const field = fieldOf(body, 'ordered')
  return !field || body[field.start] !== 0
}
