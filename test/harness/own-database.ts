import { type Db, type Document, MongoClient } from 'mongodb'
import { afterAll, inject } from 'vitest'
import { planOf, type QueryPlan } from './query-plans.ts'

/** A new database for the tests of a `describe` or a file. It is deleted after them. */
export class OwnDatabase {
  readonly #client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  readonly db: Db = this.#client.db(`test-${crypto.randomUUID()}`)
  #sent: Document[] = []

  constructor() {
    this.#client.on('commandStarted', ({ command }) => {
      if (command.find || command.aggregate) this.#sent.push(command)
    })
    afterAll(async () => {
      await this.db.dropDatabase()
      await this.#client.close()
    })
  }

  /** Returns the result of a run, and the queries that it sends. */
  async queriesOf<T>(run: () => Promise<T>): Promise<[result: T, queries: Document[]]> {
    this.#sent = []
    return [await run(), [...this.#sent]]
  }

  /** Returns the result of a run, and the plans of the queries that it sends. */
  async plansOf<T>(run: () => Promise<T>): Promise<[result: T, plans: QueryPlan[]]> {
    const [result, queries] = await this.queriesOf(run)
    return [result, await Promise.all(queries.map((query) => planOf(this.db, query)))]
  }
}
