import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { databaseOf } from '@gatehouse/test/harness/databases.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { guestDefaults } from './resource.ts'
import type { StoredGuest } from './stored-guest.ts'

const system = await sharedSystem()

describe('how a guest came (5.23)', () => {
  let testEvent: TestEvent
  let category: string

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
  })

  /** Asks guests for an action as the gateway or another service does. */
  const ask = async (action: string, body: object, meta: object = {}): Promise<void> => {
    await system.bus.call(`guests.guests.${action}`, meta, Buffer.from(JSON.stringify(body)))
  }
  const as = (role?: Caller['role']): object => ({
    params: { event_id: testEvent.id },
    caller: { account_id: system.account_id, token_id: 'someone', scope: 'admin', ...(role && { role }) },
  })
  const guest = (uid: string): object => ({ guest_category_id: category, uid })
  const sourceOf = async (uid: string): Promise<unknown> => (await testEvent.read(`guests.json?uid=${uid}`))[0].source

  test('a token creates it from the API, a staff member in the console, whose import gives the status imported', async () => {
    await ask('create', guest('by token'), as())
    await ask('create', guest('by staff'), as('organizer'))
    await ask('create', { ...guest('by file'), status: 'imported' }, as('organizer'))
    expect(await Promise.all(['by token', 'by staff', 'by file'].map(sourceOf))).toEqual(['api', 'console', 'import'])
  })

  test('the list has only those of a source (8.41), together with other filters; an unknown source is 422', async () => {
    const other = await testEvent.category('Other')
    await ask('create', { ...guest('elsewhere'), guest_category_id: other }, as('organizer'))
    const found = async (query: string): Promise<string[]> =>
      (await testEvent.read(`guests.json?${query}`)).map(({ uid }: { uid: string }) => uid)
    expect(await found('source=console')).toEqual(['elsewhere', 'by staff'])
    expect(await found(`source=console&category[]=${other}`)).toEqual(['elsewhere'])
    expect((await testEvent.api('GET', 'guests.json?source=nowhere')).status).toBe(422)
  })

  test('the command line imports it, and an accepted invitation makes it', async () => {
    const query = { event_id: testEvent.id }
    await ask('create_many', [{ ...guest('imported'), _id: 'a'.repeat(24) }], { query })
    await ask('create_invited', { ...guestDefaults, ...guest('invited'), ...query, _id: 'b'.repeat(24) })
    expect([await sourceOf('imported'), await sourceOf('invited')]).toEqual(['import', 'invitation'])
  })

  test('clients set it neither at the creation nor later', async () => {
    const { _id, source } = await testEvent.make('guests.json', { ...guest('given'), source: 'import' })
    expect(source).toBe('api')
    await testEvent.change(`guests/${_id}.json`, { source: 'walk_in', last_name: 'New' })
    expect(await testEvent.read(`guests/${_id}.json`)).toMatchObject({ source: 'api', last_name: 'New' })
  })

  test('a guest from before it was recorded has none', async () => {
    const { _id } = await testEvent.make('guests.json', guest('older'))
    const stored = databaseOf(system, 'guests').collection<StoredGuest>('guests')
    await stored.updateOne({ _id }, { $unset: { source: 1 } })
    expect(await testEvent.read(`guests/${_id}.json`)).not.toHaveProperty('source')
  })
})
