import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serviceNames } from '../../services/services.ts'
import { deep } from '../rounds.ts'
import { OF_EACH_SERVICE, SHARDED, UNSHARDED, WITHOUT_SHARD_KEY } from './sharding.ts'

/*
 * What the services ask of MongoDB, as the local database saw it from strict clients (deploy/local/mongod/command-shapes.ts). `lists/` holds a file
 * for each service, a line for each shape, and is reviewed like code. `npm run commands -- PLACE…` runs tests and adds what is new. Some commands are
 * asked only when requests meet by chance, so only deep runs insist that all are listed.
 */

const LISTS = join(import.meta.dirname, 'lists')
const isRecording = process.env.RECORD_COMMANDS === '1'

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean)

/** What this run has asked, by service. */
function asked(): Map<string, Set<string>> {
  const folder = process.env.MONGOD_COMMANDS ?? ''
  const lines = new Set(readdirSync(folder).flatMap((file) => linesOf(join(folder, file))))
  const byService = new Map<string, Set<string>>()
  for (const line of lines) {
    const [service = '', shape = ''] = line.split('\t')
    // Tests of the storage have databases of their own.
    if (!serviceNames.some((name) => name === service)) continue
    byService.getOrInsert(service, new Set()).add(shape)
  }
  return byService
}

function listed(): Map<string, Set<string>> {
  const files = readdirSync(LISTS)
  return new Map(files.map((file) => [file.replace('.txt', ''), new Set(linesOf(join(LISTS, file)))]))
}

/** A line of a list. */
interface Shape {
  line: string
  service: string
  command: string
  /** `service.collection` */
  collection: string
  /** What follows the collection. */
  rest: string
}

function shapes(): Shape[] {
  return [...listed()].flatMap(([service, lines]) =>
    [...lines].map((line) => {
      const [command = '', collection = '', ...rest] = line.split(' ')
      return { line, service, command, collection: `${service}.${collection}`, rest: rest.join(' ') }
    }),
  )
}

const QUERIES = new Set(['aggregate', 'count', 'delete', 'find', 'findAndModify', 'update'])
const INDEX = /^(\{[^}]*\})/

/** What this run has asked that is not listed. */
function unlisted(): { service: string; line: string }[] {
  const known = listed()
  return [...asked()].flatMap(([service, lines]) =>
    [...lines.difference(known.get(service) ?? new Set())].map((line) => ({ service, line })),
  )
}

test.runIf(isRecording)('what the services newly ask of MongoDB is added to the lists', () => {
  const known = listed()
  for (const [service, added] of Map.groupBy(unlisted(), ({ service }) => service)) {
    const lines = new Set(known.get(service)).union(new Set(added.map(({ line }) => line)))
    writeFileSync(join(LISTS, `${service}.txt`), `${[...lines].sort().join('\n')}\n`)
  }
})

test('the services ask of MongoDB only what is listed', deep, () => {
  expect(unlisted()).toEqual([])
})

describe('a cluster that is sharded by event', () => {
  test('each collection is sharded, or there is a reason why not', () => {
    const decided = new Set(Object.keys({ ...SHARDED, ...UNSHARDED }))
    const used = new Set(
      shapes()
        .filter(({ service, collection }) => !(collection.slice(service.length + 1) in OF_EACH_SERVICE))
        .map(({ collection }) => collection),
    )
    expect(used.symmetricDifference(decided)).toEqual(new Set())
  })

  test('each query of a sharded collection names its shard key, or there is a reason why not', () => {
    const scattered = shapes().filter(({ command, collection, rest, service, line }) => {
      const key = SHARDED[collection]
      if (!key || !QUERIES.has(command) || new RegExp(`[{ ]${key}: (\\?|\\{\\$(in|eq): )`).test(rest)) return false
      return !WITHOUT_SHARD_KEY.some(({ shape }) => shape.test(`${service} ${line}`))
    })
    expect(scattered.map(({ service, line }) => `${service} ${line}`)).toEqual([])
  })

  test('each reason why a query lacks the shard key is one of a query that is asked', () => {
    const lines = shapes().map(({ service, line }) => `${service} ${line}`)
    expect(WITHOUT_SHARD_KEY.filter(({ shape }) => !lines.some((line) => shape.test(line)))).toEqual([])
  })

  test('unique indexes of sharded collections begin with the shard key', () => {
    // https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes
    const unique = shapes().filter(({ command, rest }) => command === 'createIndexes' && / unique/.test(rest))
    const spread = unique.filter(({ collection, rest }) => {
      const key = SHARDED[collection]
      return key && Object.keys(JSON.parse(INDEX.exec(rest)?.[1] ?? '{}'))[0] !== key
    })
    expect(spread.map(({ service, line }) => `${service} ${line}`)).toEqual([])
  })
})

test('each hint names an index that is made', () => {
  // MongoDB refuses another one, DocumentDB ignores it in updates and deletions.
  const made = new Set(
    shapes().flatMap(({ command, collection, rest }) => {
      if (command !== 'createIndexes') return []
      const key = JSON.parse(INDEX.exec(rest)?.[1] ?? '{}')
      return [`${collection}.${/ name (\S+)/.exec(rest)?.[1] ?? Object.entries(key).flat().join('_')}`]
    }),
  )
  const lost = shapes().filter(({ collection, rest }) => {
    const hint = /hint "([^"]+)"/.exec(rest)?.[1]
    return hint && hint !== '_id_' && !made.has(`${collection}.${hint}`)
  })
  expect(lost.map(({ service, line }) => `${service} ${line}`)).toEqual([])
})

test('no index covers two fields that hold arrays', () => {
  // MongoDB refuses such documents (CannotIndexParallelArrays), DocumentDB takes them: https://www.mongodb.com/docs/manual/core/indexes/index-types/index-multikey/
  const arrays = new Set(
    shapes()
      .filter(({ command }) => command === 'array')
      .map(({ collection, rest }) => `${collection}.${rest}`),
  )
  const parallel = shapes().filter(({ command, collection, rest }) => {
    if (command !== 'createIndexes') return false
    const fields = Object.keys(JSON.parse(INDEX.exec(rest)?.[1] ?? '{}'))
    return fields.filter((field) => arrays.has(`${collection}.${field}`)).length > 1
  })
  expect(parallel.map(({ service, line }) => `${service} ${line}`)).toEqual([])
})
