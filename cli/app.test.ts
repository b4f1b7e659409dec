// @module-tag slow
import { createHmac } from 'node:crypto'
import { printed } from '@gatehouse/test/harness/command-line.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let system: System

beforeAll(async () => {
  system = await startSystem({ with: ['leads'] })
})
afterAll(() => system?.stop())

/** Runs `gatehouse app …`, and returns what it writes. */
const app = (...args: string[]): Promise<string> => printed(system, 'app', ...args)

test('an app that was registered signs licences with the secret that was shown, until it is revoked', async () => {
  const line = await app('register', '--name', 'Scanner & co', '--json')
  const registered = JSON.parse(line)
  expect(line).toBe(`${JSON.stringify(registered)}\n`)
  expect(registered).toEqual({ name: 'Scanner & co', signing_secret: expect.stringMatching(/^[\w-]{43}$/) })

  const testEvent = await TestEvent.open(system)
  const { access_token } = await testEvent.make('exhibitors.json', { name: 'Acme' })
  const signature = createHmac('sha256', registered.signing_secret + testEvent.id)
    .update(access_token)
    .digest('hex')
  const activate = () =>
    system.api(
      'PUT',
      `events/${testEvent.id}/exhibitors/${access_token}/activate_license.json`,
      { signature },
      { token: '' },
    )
  expect((await activate()).body.app).toBe('Scanner & co')

  const list = JSON.parse(await app('list', '--json'))
  expect(list).toEqual([{ _id: expect.any(String), name: 'Scanner & co', created_at: expect.any(String) }])
  expect(await app('list')).toContain(`${list[0]._id}\t`)
  expect(await app('revoke', list[0]._id)).toBe('revoked Scanner & co\n')
  expect((await activate()).status).toBe(401)
  await expect(app('revoke', list[0]._id)).rejects.toThrow(/Not found/)
})
