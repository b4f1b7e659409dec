import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import document from '@gatehouse/gateway/openapi.json' with { type: 'json' }
import { plainFields } from '@gatehouse/guests/resources'
import { kindOf, record, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { readList } from '@gatehouse/proto/formats/lists/list.ts'
import { elementName, xmlWriterOf } from '@gatehouse/proto/formats/xml.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportEvent } from '../cli/export/command.ts'
import { importGuests } from '../cli/import-guests/command.ts'
import { captured } from '../cli/testing/captured-terminal.ts'
import { readPdf } from './harness/pdf.ts'
import { sharedSystem } from './harness/shared-system.ts'
import { TestEvent } from './harness/test-event.ts'
import { sampleOf } from './tables/samples.ts'

// A plain field of a guest is one line: each form follows from it and its traits. A new one is tested here as soon as it is declared.

const system = await sharedSystem()
const fields = Object.entries(plainFields as object as Record<string, SchemaNode>)

/** A valid value that no other field has, and which is one word of a search. */
async function givenValue(name: string, schema: SchemaNode, category: string): Promise<unknown> {
  const isText = kindOf(schema) === 'string' && !schema.enum && name !== 'guest_category_id'
  return isText ? `${name.replaceAll('_', '')}@example.org` : sampleOf(schema, name, async () => category)
}

describe.each(fields)('%s, a plain field of a guest', (name, schema) => {
  const has = (trait: string): boolean => schema.traits?.includes(trait) ?? false

  test('is given and shown in JSON', () => {
    expect(shown[name]).toEqual(given[name])
  })

  test('is given and shown in XML', () => {
    expect(ofXml[name]).toEqual(name === 'uid' ? OTHER_UID : given[name])
    expect(xml).toMatch(new RegExp(`<${elementName(name)}[ >]`))
    expect(xml).toContain(String(ofXml[name]))
  })

  // A category has another id in each event, so files name it.
  const isColumn = name !== 'guest_category_id'
  test.runIf(isColumn)('is a column of an exported file, and is imported from it', () => {
    expect(exported[name]).toBe(String(given[name]))
    expect(imported[name]).toEqual(given[name])
  })

  test('is found by a search if it is searched, and by its name if it is named', async () => {
    const found = async (search: string): Promise<boolean> =>
      (await testEvent.read(`guests.json?search=${encodeURIComponent(search)}`)).some(
        ({ _id }: { _id: string }) => _id === shown._id,
      )
    expect(await found(String(given[name]))).toBe(has('searched'))
    // `status:a,b` is a form of its own.
    expect(await found(`${name}:${given[name]}`)).toBe(has('named') || name === 'status')
  })

  test('is shown to exhibitors whose event lists it if it is disclosed', () => {
    expect(disclosed[name]).toEqual(has('disclosed') ? given[name] : null)
  })

  // Of the fields that are printed, the badges service decides by name.
  test.skipIf(has('printed'))('is on the badge if it is a line of it', async () => {
    badge ??= await badgeText()
    expect(badge.includes(String(given[name]))).toBe(has('badge'))
  })

  test('is in the API document, as it is given and as it is shown', () => {
    const { Guest, GuestCreate, GuestUpdate } = document.components.schemas as Record<string, { properties?: object }>
    for (const { properties } of [Guest, GuestCreate, GuestUpdate] as { properties: object }[])
      expect(properties).toHaveProperty(name)
  })
})

const OTHER_UID = 'other@example.org'
let testEvent: TestEvent
let given: Record<string, unknown>
let shown: Record<string, unknown>
let ofXml: Record<string, unknown>
let xml: string
let exported: Record<string, string>
let imported: Record<string, unknown>
let disclosed: Record<string, unknown>
let badge: string | undefined

beforeAll(async () => {
  testEvent = await TestEvent.open(system, { lead_guest_fields: fields.map(([name]) => name) })
  const { _id: category } = await testEvent.make('guest_categories.json', { name: 'VIP', badge_enabled: true })
  given = Object.fromEntries(
    await Promise.all(fields.map(async ([name, schema]) => [name, await givenValue(name, schema, category)])),
  )
  const { _id } = await testEvent.make('guests.json', given)
  shown = await testEvent.read(`guests/${_id}.json`)
  await Promise.all([readLead(), moveByFile()])
  await throughXml()
})

async function badgeText(): Promise<string> {
  const read = () => testEvent.read(`guests/${shown._id}.json`)
  await expect.poll(async () => (await read()).badge_completed).toBe(true)
  const file = await fetch((await read()).badge_url)
  const { text } = await readPdf(new Uint8Array(await file.arrayBuffer()))
  return text.replaceAll(/\s/g, '')
}

async function readLead(): Promise<void> {
  const { access_token } = await testEvent.make('exhibitors.json', { name: 'Acme' })
  const path = `lead_guests/${encodeURIComponent(String(given.uid))}.json?access_token=${access_token}`
  disclosed = (await system.api('GET', path, undefined, { token: '' })).body
}

/** Exports the guest into a file, and imports that into another event. */
async function moveByFile(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plain-fields-'))
  try {
    const file = join(folder, 'guests.csv')
    expect(await exportEvent('guests', { event: testEvent.id, out: file }, system.bus, captured())).toBe(0)
    const other = await TestEvent.open(system)
    await other.category('VIP')
    await importGuests(file, { event: other.id }, system.bus, captured())
    const { headers, rows } = await readList(await readFile(file), { isKnown: () => true })
    exported = Object.fromEntries(headers.map((header, column) => [header, rows[0]?.cells[column] ?? '']))
    imported = (await other.read('guests.json'))[0]
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Creates a guest of the same values by a document, and reads another. */
async function throughXml(): Promise<void> {
  const schema = record(plainFields) as unknown as SchemaNode
  const sent = xmlWriterOf(schema, 'guest', '')({ ...given, uid: OTHER_UID })
  const answer = await testEvent.xml('POST', 'guests.xml', sent)
  expect(answer.status, answer.text).toBe(201)
  const list = await testEvent.read('guests.json')
  ofXml = list.find(({ uid }: { uid: string }) => uid === OTHER_UID)
  xml = (await testEvent.api('GET', `guests/${ofXml._id}.xml`)).text
}
