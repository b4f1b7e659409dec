import { deserialize } from 'bson'
import { fieldOf, fieldsOf, textOf } from './bson-fields.ts'
import { CODES } from './codes.ts'
import { CommandError } from './engine.ts'
import type { Command } from './messages.ts'

/*
 * Stable API V1, which MongoDB keeps over its versions: the commands of its changelog (https://www.mongodb.com/docs/manual/reference/stable-api-changelog/)
 * with the fields of each on its page of the manual, less those that the page excludes under "Stable API". A client that declares `apiStrict` is
 * refused whatever stands nowhere here, as by MongoDB: https://www.mongodb.com/docs/manual/reference/stable-api/#stable-api-error-responses.
 */

/** Fields of any command. The last four belong to replica sets, sessions and sharding. */
const COMMON = words(`apiVersion apiStrict apiDeprecationErrors comment maxTimeMS readConcern writeConcern
  $db $readPreference $clusterTime lsid txnNumber`)

/** The fields of each command. A plain word is taken; `-word` exists, but is not stable. */
const FIELDS = table({
  aggregate: 'pipeline cursor allowDiskUse bypassDocumentValidation collation hint let -explain',
  collMod: 'index validator validationLevel validationAction viewOn pipeline cappedSize -changeStreamPreAndPostImages',
  count: 'query limit skip hint collation fields',
  create: `validator validationLevel validationAction viewOn pipeline collation timeseries expireAfterSeconds
    clusteredIndex -autoIndexId -capped -indexOptionDefaults -max -size -storageEngine`,
  createIndexes: 'indexes commitQuorum ignoreUnknownIndexOptions',
  delete: 'deletes ordered let',
  drop: '',
  dropDatabase: '',
  dropIndexes: 'index',
  endSessions: '',
  explain: 'verbosity',
  find: `filter sort projection hint skip limit batchSize singleBatch allowPartialResults collation allowDiskUse let
    -awaitData -max -min -noCursorTimeout -oplogReplay -returnKey -showRecordId -tailable`,
  findAndModify: 'query sort remove update new fields upsert bypassDocumentValidation collation arrayFilters hint let',
  getMore: 'collection batchSize',
  hello:
    'saslSupportedMechs speculativeAuthenticate client compression helloOk topologyVersion maxAwaitTimeMS loadBalanced backpressure',
  insert: 'documents ordered bypassDocumentValidation',
  killCursors: 'cursors',
  listCollections: 'filter nameOnly authorizedCollections cursor',
  listDatabases: 'filter nameOnly authorizedDatabases',
  listIndexes: 'cursor',
  ping: '',
  update: 'updates ordered bypassDocumentValidation let',
  // Drivers sign in with these, which the changelog calls `authenticate`.
  saslStart: 'mechanism payload autoAuthorize options',
  saslContinue: 'conversationId payload',
})

/** https://www.mongodb.com/docs/manual/reference/command/createIndexes/#stable-api */
const INDEX_FIELDS =
  fields(`key name unique partialFilterExpression expireAfterSeconds hidden collation wildcardProjection v
  weights default_language language_override textIndexVersion 2dsphereIndexVersion bits min max
  -background -bucketSize -sparse -storageEngine`)
const UNSTABLE_INDEX_TYPES = words('text geoHaystack')

/** https://www.mongodb.com/docs/manual/reference/command/aggregate/#stable-api */
const UNSTABLE_STAGES =
  words(`$collStats $currentOp $indexStats $listLocalSessions $listSampledQueries $listSearchIndexes
  $listSessions $planCacheStats $search $searchMeta $vectorSearch`)

/** Throws for a command of a strict client that Stable API V1 lacks, or lacks in this form. */
export function checkStableApi(command: Command): void {
  const { body, name } = command
  const strict = fieldOf(body, 'apiStrict')
  if (!strict || body[strict.start] === 0) return
  if (textOf(body, fieldOf(body, 'apiVersion')) !== '1')
    throw new CommandError(CODES.apiVersion, 'the API version is not 1')
  const known = FIELDS.get(name)
  if (!known) throw unstable(`the command ${name}`)
  for (const field of fieldsOf(body)) {
    if (field.name !== name && !COMMON.has(field.name)) checkField(known, field.name, name)
  }
  if (name === 'createIndexes') checkIndexes(body)
  if (name === 'aggregate') checkStages(body)
}

function checkIndexes(body: Buffer): void {
  const { indexes } = deserialize(body) as { indexes: { key: Record<string, unknown> }[] }
  for (const index of indexes) {
    for (const field of Object.keys(index)) checkField(INDEX_FIELDS, field, 'createIndexes.indexes')
    for (const type of Object.values(index.key))
      if (UNSTABLE_INDEX_TYPES.has(String(type))) throw unstable(`an index of the type ${type}`)
  }
}

function checkStages(body: Buffer): void {
  const { pipeline } = deserialize(body) as { pipeline: Record<string, unknown>[] }
  for (const stage of pipeline.flatMap((stage) => Object.keys(stage)))
    if (UNSTABLE_STAGES.has(stage)) throw unstable(`the stage ${stage}`)
}

/** What a command takes: whether each field is stable. */
type Fields = Map<string, boolean>

function checkField(known: Fields, field: string, where: string): void {
  const isStable = known.get(field)
  if (isStable === undefined)
    throw new CommandError(CODES.unknownField, `BSON field '${where}.${field}' is an unknown field.`)
  if (!isStable) throw unstable(`the field ${where}.${field}`)
}

function unstable(what: string): CommandError {
  return new CommandError(CODES.apiStrict, `${what} is not in API Version 1, and the client has declared apiStrict`)
}

function words(text: string): Set<string> {
  return new Set(text.split(/\s+/))
}

function fields(text: string): Fields {
  return new Map([...words(text)].map((word) => [word.replace(/^-/, ''), !word.startsWith('-')]))
}

function table(commands: Record<string, string>): Map<string, Fields> {
  return new Map(Object.entries(commands).map(([name, text]) => [name, fields(text)]))
}
