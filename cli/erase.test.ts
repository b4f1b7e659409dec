// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, expect, test } from 'vitest'
import { erase } from './erase.ts'
import { exportPersonalData } from './export/personal-data.ts'
import { captured } from './testing/captured-terminal.ts'

const system = await sharedSystem()

let testEvent: TestEvent

beforeAll(async () => {
  testEvent = await TestEvent.open(system)
  const category = await testEvent.category()
  for (const uid of ['ada', 'bob']) await testEvent.guest(category, uid, { email: `${uid}@example.org` })
})

test('a person is exported as lines of JSON and erased with a report, as an act of the command line', async () => {
  const options = { event: testEvent.id, email: 'ada@example.org' }
  const exported = async () => {
    const terminal = captured()
    expect(await exportPersonalData(options, system.bus, terminal)).toBe(0)
    return terminal.text.out.split('\n').filter(Boolean)
  }
  const lines = (await exported()).map((line) => JSON.parse(line))
  expect(lines).toMatchObject([{ data: 'guests.guests', item: { uid: 'ada' } }])
  const terminal = captured()
  expect(await erase(options, system.bus, terminal)).toBe(0)
  const [first, ...rest] = terminal.text.out.trim().split('\n')
  expect(first).toBe('guests.guests\tblanked\t1\tso that guests, uses of discount codes and entries stay counted')
  expect(rest).toEqual([
    'sso.tokens\tnot searched\t1\tname',
    expect.stringContaining('sso.audit_records\tnot searched'),
  ])
  expect(await exported()).toEqual([])
  const acts = async () => {
    const found = (await system.api('GET', `audit_records.json?event_id=${testEvent.id}&kind=act`)).body
    return found.map(({ action, token_id }: Record<string, string>) => `${action} ${token_id}`)
  }
  await expect.poll(acts).toContain('guests.erasures.create cli')
  await expect.poll(acts).toContain('guests.personal_documents.export export')
  expect(JSON.stringify((await system.api('GET', 'audit_records.json')).body)).not.toContain('ada@')
})

test('one person or everybody has to be named', async () => {
  const [event, terminal] = [testEvent.id, captured()]
  await expect(erase({ event }, system.bus, terminal)).rejects.toThrow('Give exactly one of')
  await expect(erase({ event, uid: 'bob', everybody: true }, system.bus, terminal)).rejects.toThrow(
    'Give exactly one of',
  )
  await expect(erase({ event, uid: 'bob', email: 'x' }, system.bus, terminal)).rejects.toThrow('Give only one of')
  expect(await testEvent.read('guests.json?uid=bob')).toHaveLength(1)
})
