// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile, generateAll, generatorNames } from './generate.ts'
import type { Given, Learned } from './program.ts'

const system = await sharedSystem()

describe('clients that others generate from the document for clients', () => {
  let folder: string
  let given: Given

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'generated-'))
    const document = (await (await fetch(`${system.url}/openapi-client.json`)).json()) as object
    await generateAll({ ...document, servers: [{ url: system.url }] }, folder)
    const event = await TestEvent.open(system)
    const [category, door] = [await event.category(), await event.point()]
    await event.link(category, door)
    await event.guest(category, 'ada1815')
    const { url, auth_token: token } = system
    given = { url, token, event_id: event.id, accesspoint_id: door, guest_uid: 'ada1815' }
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('compile strictly, together with programs that use them', async () => {
    await compile(folder)
  })

  test.each(generatorNames)('%s: a guest is checked in, and errors are read', async (name) => {
    const program = pathToFileURL(join(folder, `built/programs/${name}.js`)).href
    const { run }: { run: (given: Given) => Promise<Learned> } = await import(program)
    expect(await run(given)).toEqual({
      access_status: 0,
      errors: { accesspoint_id: ["can't be blank"] },
      error: 'Not found',
    })
  })
})
