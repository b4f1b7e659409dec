// @module-tag slow
import { createRequire } from 'node:module'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { expect, test } from 'vitest'
import { collectionOf } from './collection.ts'
import type { Collection, Item } from './format.ts'

/** What a run says at its end. */
interface Summary {
  run: {
    failures: { error: unknown }[]
    executions: { item: { name: string }; response: { code: number; json(): unknown } }[]
  }
}
const { run } = createRequire(import.meta.url)('newman') as {
  run(options: object, done: (error: Error | null, summary: Summary) => void): void
}

const system = await sharedSystem()

async function collection(): Promise<Collection> {
  return collectionOf((await (await fetch(`${system.url}/openapi-client.json`)).json()) as object)
}

const requestsOf = (items: Item[]): Item[] => items.flatMap((each) => (each.item ? requestsOf(each.item) : [each]))

test('the collection lets a guest in when its first folder runs, and the other folders know the event', async () => {
  const environment = [
    { key: 'host', value: system.url },
    { key: 'auth_token', value: system.auth_token },
  ]
  const summary = await new Promise<Summary>((resolve, reject) => {
    const options = { environment: { values: environment }, folder: ['First check-in', 'statistics'] }
    collection().then((made) =>
      run({ collection: made, ...options }, (error, done) => (error ? reject(error) : resolve(done))),
    )
  })
  const { failures, executions } = summary.run
  expect(failures.map(({ error }) => error)).toEqual([])
  expect(executions.map(({ response }) => response.code)).toEqual([200, 201, 201, 201, 201, 201, 201, 200])
  expect(executions.at(-1)?.response.json()).toMatchObject({ guest_count: 1 })
})

test('the collection is the same each time, has every operation of the API, and no secret', async () => {
  const made = await collection()
  const again = JSON.stringify(await collection())
  expect(JSON.stringify(made) === again).toBe(true)
  expect(requestsOf(made.item).length).toBeGreaterThan(190)
  for (const { request, name } of requestsOf(made.item)) expect(request?.url.host, name).toEqual(['{{host}}'])
  expect(JSON.stringify(made)).not.toContain(system.auth_token)
})
