// @module-tag slow
import { printed } from '@gatehouse/test/harness/command-line.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { expect, test } from 'vitest'

const system = await sharedSystem()
const { slug } = await system.account('staffed')
const link = new RegExp(`${system.url}/console/welcome/[\\w-]{43}`)

/** Runs the command line on the test's system and returns what it prints. */
const gatehouse = (...args: string[]): Promise<string> => printed(system, ...args, '--account', slug)

test('bootstrap prints a link for the first owner while no owner has joined', async () => {
  const [first = ''] = link.exec(await gatehouse('bootstrap')) ?? []
  expect((await fetch(first)).status).toBe(200)
  expect(await gatehouse('bootstrap', '--json')).not.toMatch(link)
})

test('staff invites, lists, makes another link, and removes', async () => {
  const first = (await gatehouse('staff', 'invite', 'ada@example.org', '--role', 'owner')).trim()
  expect(first).toMatch(link)
  const second = (await gatehouse('staff', 'link', 'ADA@example.org')).trim()
  expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([404, 200])
  await gatehouse('staff', 'invite', 'grace@example.org', '--role', 'viewer', '--name', 'Grace Hopper')
  expect(await gatehouse('staff', 'remove', 'grace@example.org')).toBe('removed grace@example.org\n')
  expect(await gatehouse('staff', 'list')).toBe('ada@example.org\towner\tany event\tnever signed in\n')
  const body = new URLSearchParams({ name: 'Ada', password: 'correct horse battery' })
  const headers = { origin: system.url }
  expect((await fetch(second, { method: 'POST', body, headers, redirect: 'manual' })).status).toBe(303)
  await expect(gatehouse('staff', 'remove', 'ada@example.org')).rejects.toThrow('An account needs an owner')
  expect(await gatehouse('bootstrap')).not.toMatch(link)
})
