import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { BSON, MongoClient } from 'mongodb'
import { parse } from 'yaml'

/*
 * Stands in for mongodump and mongorestore, which are not to be had where tests run: takes the arguments of the scripts of backups, and dumps and
 * restores all databases, without the changes meanwhile. `node mongo-tools.ts mongodump --config FILE --oplog --gzip --archive=FILE`
 */

interface Dumped {
  database: string
  collection: string
  documents: BSON.Document[]
}

const OWN = ['admin', 'config', 'local']

async function dump(client: MongoClient): Promise<Dumped[]> {
  const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true })
  const names = databases.flatMap(({ name }: { name: string }) => (OWN.includes(name) ? [] : name))
  const lists = await Promise.all(
    names.map(async (database: string) => {
      const collections = await client.db(database).listCollections({}, { nameOnly: true }).toArray()
      return collections.map(({ name }) => ({ database, collection: name }))
    }),
  )
  return await Promise.all(
    lists.flat().map(async ({ database, collection }) => {
      return { database, collection, documents: await client.db(database).collection(collection).find().toArray() }
    }),
  )
}

async function restore(client: MongoClient, dumped: Dumped[]): Promise<void> {
  for (const { database, collection, documents } of dumped) {
    const target = client.db(database).collection(collection)
    await target.drop()
    if (documents.length > 0) await target.insertMany(documents)
  }
}

const [tool, ...rest] = process.argv.slice(2)
const options = {
  config: { type: 'string' },
  archive: { type: 'string' },
  gzip: { type: 'boolean' },
  ...(tool === 'mongodump'
    ? { oplog: { type: 'boolean' } as const }
    : { drop: { type: 'boolean' } as const, oplogReplay: { type: 'boolean' } as const }),
} as const
const { config = '', archive = '' } = parseArgs({ args: rest, options }).values
const client = await new MongoClient(parse(await readFile(config, 'utf8')).uri).connect()
if (tool === 'mongodump')
  await writeFile(archive, gzipSync(BSON.EJSON.stringify(await dump(client), { relaxed: false })))
else await restore(client, BSON.EJSON.parse(gunzipSync(await readFile(archive)).toString(), { relaxed: false }))
await client.close()
