// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeEach, describe, expect, inject, test } from 'vitest'

const system = await sharedSystem()

let count = 0

describe('a person who is no guest, but the contact of an exhibitor', () => {
  let email: string
  let ask: { by: string; value: string }
  let testEvent: TestEvent
  let hers: Answer['body']
  let other: Answer['body']

  beforeEach(async () => {
    email = `Hedy.Quillmar${++count}@example.org`
    ask = { by: 'email', value: email.toUpperCase() }
    testEvent = await TestEvent.open(system)
    const category = await testEvent.category()
    await testEvent.guest(category, 'bob')
    await testEvent.guest(category, 'eve')
    const contact = { email, meta_data: { contact: `Hedy Lamarrstone${count}`, stand: 'A12' } }
    hers = await testEvent.make('exhibitors.json', { name: 'Acme', ...contact })
    other = await testEvent.make('exhibitors.json', { name: 'Other', email: `x${email}`, meta_data: { stand: 'B1' } })
    const leads = [
      { guest_uid: 'bob', author: email.toLowerCase() },
      { guest_uid: 'eve', author: 'Ann' },
    ]
    const path = `devices/${hers.access_token}/connections/batch_create.json`
    expect((await system.api('POST', path, leads, { token: '' })).status).toBe(201)
  })

  const leadsOf = ({ _id }: { _id: string }) => testEvent.read(`exhibitors/${_id}/connections.json`)

  test('is found by an export, whatever the case of the address, and no one else is', async () => {
    const found: Record<string, unknown[]> = {}
    for (let after: string | null = 'leads:'; after?.startsWith('leads:'); ) {
      const { data, items, next } = await testEvent.read(
        `personal_documents.json?${new URLSearchParams({ ...ask, after })}`,
      )
      if (items.length > 0) found[data] = items
      after = next
    }
    expect(found).toEqual({
      'leads.connections.author': [expect.objectContaining({ author: email.toLowerCase() })],
      'leads.exhibitors': [expect.objectContaining({ _id: hers._id, email, meta_data: hers.meta_data })],
    })
    expect(JSON.stringify(found)).not.toMatch(/token|guest_uid/)
  })

  test('is erased: the exhibitor stays with its name, its token and its leads, whose author identifies nobody', async () => {
    const { report } = await testEvent.make('erasures.json', ask)
    expect(report).toEqual([
      {
        data: 'leads.connections.author',
        outcome: 'blanked',
        count: 1,
        reason: expect.stringContaining('of other people'),
      },
      { data: 'leads.exhibitors', outcome: 'blanked', count: 1, reason: expect.stringContaining('its name is kept') },
    ])
    expect(await testEvent.read(`exhibitors/${hers._id}.json`)).toMatchObject({
      ...{ name: 'Acme', email: null, meta_data: {} },
    })
    const leads = (await leadsOf(hers)) as { guest_uid: string; author: string }[]
    expect(leads.map(({ guest_uid, author }) => [guest_uid, author]).sort()).toEqual([
      ['bob', expect.stringMatching(/^erased-[0-9a-f]{24}$/)],
      ['eve', 'Ann'],
    ])
    const path = `devices/${hers.access_token}/connections/batch_create.json`
    expect((await system.api('POST', path, [], { token: '' })).status).toBe(201)
    expect(await testEvent.read(`exhibitors/${other._id}.json`)).toMatchObject({ email: other.email })
    const text = (await storedText(inject('mongodbUrl'), system.namespace)).replaceAll(other.email, '')
    const traces = [email, email.toLowerCase(), `Lamarrstone${count}`]
    expect(traces.filter((trace) => text.includes(trace))).toEqual([])
    expect((await testEvent.make('erasures.json', ask)).report).toEqual([])
  })

  test('is erased with everybody, as all contacts of exhibitors are', async () => {
    const { report } = await testEvent.make('erasures.json', { by: 'everybody' })
    expect(report).toMatchObject([
      { data: 'guests.guests', count: 2 },
      { data: 'leads.connections', outcome: 'deleted', count: 2 },
      { data: 'leads.exhibitors', outcome: 'blanked', count: 2 },
    ])
    const left = await testEvent.read('exhibitors.json')
    expect(left).toMatchObject([
      { name: 'Acme', email: null, meta_data: {} },
      { name: 'Other', email: null, meta_data: {} },
    ])
  })
})
