import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Topic } from '@gatehouse/proto/declaring/topic.ts'
import { wantedTypes } from '@gatehouse/proto/events/domain-events.ts'
import { describe, expect, test } from 'vitest'
import { type BusUser, busUsers } from '../../services/bus-users.ts'
import { withPermissions } from './table.ts'

const root = join(import.meta.dirname, '../..')
const folderOf = (user: string): string => join(root, user === 'gateway' || user === 'cli' ? user : `services/${user}`)

/** The code of a process, without its list, its topics and its tests. */
async function codeOf(user: string): Promise<string[]> {
  const files = await readdir(folderOf(user), { recursive: true })
  const code = files.filter((file) => /(?<!\.test)\.ts$/.test(file) && !['permissions.ts', 'topics.ts'].includes(file))
  return await Promise.all(code.map((file) => readFile(join(folderOf(user), file), 'utf8')))
}

/** The parts of resources that a list names, with their names there. */
async function partsOf(user: string): Promise<[string, Resource][]> {
  const list = (await import(join(folderOf(user), 'permissions.ts'))) as Record<string, Resource | Permissions>
  return Object.entries(list).filter((each): each is [string, Resource] => 'actions' in each[1])
}

/** The topics that a process declares, with their names there. */
async function topicsOf(user: string): Promise<[string, Topic][]> {
  const file = join(folderOf(user), 'topics.ts')
  return existsSync(file) ? Object.entries((await import(file)) as Record<string, Topic>) : []
}

describe.each(Object.keys(busUsers) as BusUser[])('the list of %s', (user) => {
  const { asks, announces = [] }: Permissions = busUsers[user]

  test('has each part of a resource that it defines', async () => {
    const parts = (await partsOf(user)).map(([, part]) => part)
    expect(asks.filter((each) => typeof each === 'object')).toEqual(expect.arrayContaining(parts))
  })

  test('names no action that is not called where its resource is used', async () => {
    const code = await codeOf(user)
    // Functions that ask whichever resource they are given.
    const askers = code.filter((text) => /clientOf\(bus, resource\b/.test(text))
    const asksFor = (text: string, action: string): boolean =>
      askers.some(
        (asker) =>
          asker.includes(`.${action}(`) &&
          Array.from(asker.matchAll(/export (?:async )?function (\w+)/g)).some(([, name]) => text.includes(`${name}(`)),
      )
    const unused = (await partsOf(user)).flatMap(([name, { actions }]) => {
      const users = code.filter((text) =>
        new RegExp(`import [^;]*\\b${name}\\b[^;]* from '[./]+/permissions\\.ts'`).test(text),
      )
      // Clients that are dependencies are called in other files.
      const client = new RegExp(`\\b(\\w+): (?:Client<typeof|clientOf\\(bus,) (?:\\w+\\.)?${name}\\b`, 'g')
      const clients = code.flatMap((text) => Array.from(text.matchAll(client), ([, each = '']) => each))
      const calls = (text: string, client: string, action: string): boolean =>
        text.includes(`${client}.${action}(`) || (text.includes(`${client}[`) && text.includes(`'${action}'`))
      const isCalled = (action: string) =>
        users.some((text) => new RegExp(`(\\.${action}\\b|'${action}')`).test(text) || asksFor(text, action)) ||
        code.some((text) => clients.some((each) => calls(text, each, action)))
      return Object.keys(actions).flatMap((action) => (isCalled(action) ? [] : [`${name}.${action}`]))
    })
    expect(unused).toEqual([])
  })

  test('names no topic that its code does not announce', async () => {
    const code = (await codeOf(user)).join('\n')
    const names = new Map<Topic, string>([[wantedTypes, 'wantedTypes']])
    for (const [name, topic] of await topicsOf(user)) names.set(topic, `topics\\.${name}`)
    const isAnnounced = (topic: Topic) => new RegExp(`announc(e|ing)\\([^)]*\\b${names.get(topic)}\\b`).test(code)
    expect(announces.filter((topic) => !isAnnounced(topic))).toEqual([])
  })

  test('names each topic that the process declares', async () => {
    expect(announces).toEqual(expect.arrayContaining((await topicsOf(user)).map(([, topic]) => topic)))
  })
})

test('the table in docs/protocol.md is that of the lists; write it with: npm run permissions', async () => {
  const text = await readFile(join(root, 'docs/protocol.md'), 'utf8')
  expect(withPermissions(text)).toBe(text)
})
