import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventbrite } from '@gatehouse/imports/tickets/systems/eventbrite.ts'
import { hiEvents } from '@gatehouse/imports/tickets/systems/hi-events.ts'
import { pretix } from '@gatehouse/imports/tickets/systems/pretix.ts'
import { tito } from '@gatehouse/imports/tickets/systems/tito.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { expect, onTestFinished } from 'vitest'
import { captured } from '../../testing/captured-terminal.ts'
import { type ImportTicketsOptions, importTickets } from '../command.ts'

export const system = await sharedSystem()

const systems = { pretix, eventbrite, 'hi-events': hiEvents, tito }

/** Makes an event in Berlin without categories and check-in points. */
export async function makeEvent(): Promise<string> {
  const body = { account_id: system.account_id, title: 'Gala', timezone: 'Europe/Berlin' }
  return (await system.api('POST', 'events.json', body)).body._id
}

/** Makes a check-in point of an event. */
export async function makePoint(event: string, name = 'Door'): Promise<string> {
  return (await system.api('POST', `events/${event}/accesspoints.json`, { name })).body._id
}

/** Writes files into a folder of the running test. */
export async function written(files: Record<string, string | Buffer>): Promise<string[]> {
  const place = await mkdtemp(join(tmpdir(), 'import-tickets-'))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  const paths = Object.keys(files).map((name) => join(place, name))
  for (const [index, text] of Object.values(files).entries()) await writeFile(paths[index] as string, text)
  return paths
}

/** Imports files of a ticketing system. */
export async function run(
  id: keyof typeof systems,
  files: Record<string, string | Buffer> | string[],
  options: ImportTicketsOptions,
) {
  const paths = Array.isArray(files) ? files : await written(files)
  const terminal = captured()
  const code = await importTickets(systems[id], paths, options, system.bus, terminal)
  return { code, out: terminal.text.out.trim().split('\n'), err: terminal.text.err }
}

// biome-ignore lint/suspicious/noExplicitAny: what the interface answers
type Answer = any

/** What an event has, in the order of codes and times. */
export async function contentsOf(event: string) {
  const get = async (path: string): Promise<Answer> => (await system.api('GET', `events/${event}/${path}`)).body
  const categories = await get('guest_categories.json')
  const names = new Map(categories.map(({ _id, name }: Answer) => [_id, name]))
  const guests = await get('guests.json?guest_metadata=true')
  const checkIns = await get('access_controls.json')
  return {
    categories: [...names.values()].sort(),
    guests: guests
      .map(({ uid, first_name, last_name, email, guest_category_id, guest_metadata }: Answer) => ({
        ...{ uid, first_name, last_name, email, category: names.get(guest_category_id) },
        answers: Object.fromEntries(guest_metadata.map(({ name, value }: Answer) => [name, value])),
      }))
      .sort((a: Answer, b: Answer) => (a.uid < b.uid ? -1 : 1)),
    checkIns: checkIns
      .map(({ guest_uid, access_stamp, access_status }: Answer) => `${guest_uid} ${access_stamp} ${access_status}`)
      .reverse(),
    fields: (await get('guest_fields.json')).map(({ key }: Answer) => key).sort(),
    codes: (await get('promo_codes.json'))
      .map(({ text, amount, percentage_of_total, max_usage, end_date, label }: Answer) => ({
        ...{ text, amount, percentage_of_total, max_usage, end_date, label },
      }))
      .sort((a: Answer, b: Answer) => (a.text < b.text ? -1 : 1)),
  }
}

/** The outcome of a scan at the only check-in point of an event. */
export async function scan(event: string, guest_uid: string): Promise<number> {
  const [{ _id }] = (await system.api('GET', `events/${event}/accesspoints.json`)).body
  const scanned = await system.api('POST', `events/${event}/access_controls.json`, { accesspoint_id: _id, guest_uid })
  expect(scanned.status).toBe(201)
  return scanned.body.access_status
}
