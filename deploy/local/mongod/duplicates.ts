import { type Document, deserialize } from 'bson'
import { CODES } from './codes.ts'
import { bsonOf, type CommandError, type Engine } from './engine.ts'

/** MongoDB's details of a violated unique index. */
export interface DuplicateKey {
  code: number
  errmsg: string
  keyPattern?: Document
  keyValue?: Document
}

/** The error of a violation in MongoDB's words, from which users of drivers parse the index. `document` is the refused one, if known. */
export async function duplicateOf(
  engine: Engine,
  {
    db,
    collection,
    index,
    document,
  }: { db: string; collection: string; index: string; document?: Document | undefined },
): Promise<DuplicateKey> {
  const keyPattern = await keyOf(engine, db, collection, index)
  const keyValue = keyPattern && document && valuesAt(document, keyPattern)
  const shown = keyValue ? JSON.stringify(keyValue) : '{ unknown }'
  return {
    code: CODES.duplicateKey.code,
    errmsg: `E11000 duplicate key error collection: ${db}.${collection} index: ${index} dup key: ${shown}`,
    ...(keyPattern && { keyPattern }),
    ...(keyValue && { keyValue }),
  }
}

/** The index in DocumentDB's message about a duplicate. */
export function indexNamed(message: string): string | undefined {
  return /Index '(.+)'/.exec(message)?.[1]
}

/** The index of a violated constraint of a collection's table. */
export async function indexBehind(engine: Engine, error: CommandError): Promise<string> {
  const named = indexNamed(error.message)
  if (named) return named
  const id = /_rum_index_(\d+)$/.exec(error.constraint ?? '')?.[1]
  if (!id) return '_id_'
  const [name] = await engine.call(
    'index-name',
    'SELECT (index_spec).index_name FROM documentdb_api_catalog.collection_indexes WHERE index_id = $1',
    [id],
  )
  return name ?? 'unknown'
}

async function keyOf(engine: Engine, db: string, collection: string, index: string): Promise<Document | undefined> {
  if (index === '_id_') return { _id: 1 }
  const [key] = await engine.call(
    'index-key',
    `SELECT (index_spec).index_key FROM documentdb_api_catalog.collection_indexes JOIN documentdb_api_catalog.collections USING (collection_id)
     WHERE database_name = $1 AND collection_name = $2 AND (index_spec).index_name = $3`,
    [db, collection, index],
  )
  return key ? deserialize(bsonOf(key)) : undefined
}

function valuesAt(document: Document, keyPattern: Document): Document {
  return Object.fromEntries(
    Object.keys(keyPattern).map((path) => [
      path,
      path.split('.').reduce<unknown>((value, name) => (value as Document | null | undefined)?.[name], document) ??
        null,
    ]),
  )
}
