import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { expect, test } from 'vitest'

// Takes more than ten seconds: each command is a process.

const system = await sharedSystem()
const { slug } = await system.account('staffed')
const link = new RegExp(`${system.url}/console/welcome/[\\w-]{43}`)

/** Runs the command line on the test's system and gives what it prints. */
async function gatehouse(...args: string[]): Promise<string> {
  const env = { ...process.env, NATS_URL: natsUrlOf('cli'), NAMESPACE: system.namespace }
  const all = [join(import.meta.dirname, 'main.ts'), ...args, '--account', slug]
  return (await promisify(execFile)(process.execPath, all, { env })).stdout
}

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
  await expect(gatehouse('staff', 'remove', 'ada@example.org')).rejects.toThrow('An account keeps one owner')
  expect(await gatehouse('bootstrap')).not.toMatch(link)
})
