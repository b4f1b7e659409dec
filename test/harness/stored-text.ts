import { BSON, MongoClient } from 'mongodb'

/**
 * All that a system of this namespace stores in MongoDB, as one text: the BSON of each document as latin1, so that all ASCII can be found.
 */
export async function storedText(mongodbUrl: string, namespace: string): Promise<string> {
  const mongo = await MongoClient.connect(mongodbUrl)
  try {
    const { databases } = await mongo.db().admin().listDatabases({ nameOnly: true })
    const own = databases.filter(({ name }) => name.startsWith(`${namespace}_`))
    const texts = own.map(async ({ name }) => {
      const collections = await mongo.db(name).listCollections({}, { nameOnly: true }).toArray()
      const contents = collections.map((each) => mongo.db(name).collection(each.name).find().toArray())
      return (await Promise.all(contents))
        .flat()
        .map((document) => Buffer.from(BSON.serialize(document)).toString('latin1'))
    })
    return (await Promise.all(texts)).flat().join('\n')
  } finally {
    await mongo.close()
  }
}
