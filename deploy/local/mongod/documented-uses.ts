import { deserialize } from 'bson'
import { fieldOf, numberOf } from './bson-fields.ts'
import { CODES, type MongoErrorCode } from './codes.ts'
import { CommandError } from './engine.ts'
import type { Command } from './messages.ts'

/** MongoDB compares by at most so many fields: https://www.mongodb.com/docs/manual/reference/limits/#mongodb-limit-Sort-Operations */
const MOST_SORT_FIELDS = 32

/** Throws for uses that MongoDB refuses and DocumentDB takes. What DocumentDB refuses as well is a table in `documented-uses.test.ts`. */
export function checkDocumentedUse({ name, body }: Command): void {
  const below = (field: string) => Number(numberOf(body, fieldOf(body, field)) ?? 0) < 0
  // https://www.mongodb.com/docs/manual/reference/command/find/#command-fields: "limit" is "non-negative".
  if (name === 'find' && below('limit')) throw refused(CODES.negative, 'limit must not be negative')
  // https://www.mongodb.com/docs/manual/reference/command/find/#command-fields: "maxTimeMS" is "non-negative".
  if (below('maxTimeMS')) throw refused(CODES.badValue, 'maxTimeMS must not be negative')
  if (name === 'find' || name === 'findAndModify') checkSort(body)
  if (name === 'aggregate') checkProjections(body)
  if (name === 'createIndexes') checkIdIndexes(body)
}

function checkSort(body: Buffer): void {
  const sort = fieldOf(body, 'sort')
  if (!sort) return
  const fields = Object.keys(deserialize(body.subarray(sort.start, sort.end))).length
  if (fields > MOST_SORT_FIELDS) throw refused(CODES.tooManySortFields, `a sort by ${fields} fields`)
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/project/#empty-specification */
function checkProjections(body: Buffer): void {
  const { pipeline } = deserialize(body) as { pipeline: { $project?: object }[] }
  for (const { $project } of pipeline)
    if ($project && Object.keys($project).length === 0) throw refused(CODES.emptyProjection, 'an empty $project')
}

/** https://www.mongodb.com/docs/manual/core/index-partial/#restrictions: "_id indexes cannot be partial indexes". */
function checkIdIndexes(body: Buffer): void {
  const { indexes } = deserialize(body) as { indexes: { key: object; partialFilterExpression?: object }[] }
  for (const { key, partialFilterExpression } of indexes)
    if (partialFilterExpression && Object.keys(key).join() === '_id')
      throw refused(CODES.invalidOptions, 'the index of _id must not be partial')
}

function refused(code: MongoErrorCode, message: string): CommandError {
  return new CommandError(code, message)
}
