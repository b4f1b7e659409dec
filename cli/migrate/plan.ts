import type { Writable } from 'node:stream'
import { count, say } from '../terminal.ts'
import type { SourceEvent } from './kind.ts'
import { eventsOf } from './run.ts'
import { idOf, type Source, type SourceItem } from './source.ts'

/** Things of a page, as other systems have them. */
const PER_PAGE = 500
/** Requests at once, which singles are read by. */
const SINGLES_AT_ONCE = 3

/** What no system of this interface shows, and what follows. */
const NOT_SHOWN = [
  'Tokens, staff, devices and webhooks: make new ones here',
  'Keys of ciphered QR codes: events come with ciphering off, and codes that were printed ciphered are not read here',
  'E-mail texts, logos and badge templates',
  'E-mails that are under way: let them end there',
]

/** Says what would come from each event, about how long it takes, and what the other system does not show. */
export async function printPlan(source: Source, ids: readonly string[], out: Writable): Promise<void> {
  let seconds = 0
  for (const event of await eventsOf(source, ids)) {
    const found = await planOf(source, event)
    seconds += found.seconds
    say(out, `${event.title ?? 'Untitled'} (${event._id}): ${found.parts.join(', ')}`)
    for (const remark of found.remarks) say(out, `  ${remark}`)
  }
  say(
    out,
    `About ${seconds < 90 ? count(Math.max(1, Math.round(seconds)), 'second') : count(Math.ceil(seconds / 60), 'minute')} by the speed of these requests`,
  )
  say(out, 'Not shown by other systems:')
  for (const line of NOT_SHOWN) say(out, `  ${line}`)
}

interface EventPlan {
  parts: string[]
  remarks: string[]
  seconds: number
}

async function planOf(source: Source, event: SourceEvent): Promise<EventPlan> {
  const whole = (await source.readOne(`events/${event._id}`)) ?? event
  const [guests, checkIns, signatures] = ['guest_count', 'check_in_count', 'signature_count'].map(
    (name) => Number(whole[name]) || 0,
  ) as [number, number, number]
  const began = performance.now()
  const page = await firstPage(source, event._id)
  const pageSeconds = (performance.now() - began) / 1_000
  const pages = [guests, checkIns, signatures].reduce((sum, each) => sum + Math.ceil(each / PER_PAGE), 3)
  const remarks: string[] = []
  let seconds = pages * pageSeconds
  if (page.some(({ guest_metadata }) => guest_metadata === undefined)) {
    const singleSeconds = await secondsOfSingle(source, event._id, page)
    seconds += (guests * singleSeconds) / SINGLES_AT_ONCE
    remarks.push('Metadata is shown with each guest alone: one request for each')
  }
  return {
    parts: [count(guests, 'guest'), count(checkIns, 'check-in'), count(signatures, 'signature')],
    remarks,
    seconds,
  }
}

async function firstPage(source: Source, event_id: string): Promise<SourceItem[]> {
  for await (const page of source.pages(`events/${event_id}/guests`, { guest_metadata: 'true' })) return page
  return []
}

async function secondsOfSingle(source: Source, event_id: string, page: SourceItem[]): Promise<number> {
  const [guest] = page
  const began = performance.now()
  if (guest) await source.readOne(`events/${event_id}/guests/${idOf(guest)}`, { guest_metadata: 'true' })
  return (performance.now() - began) / 1_000
}
