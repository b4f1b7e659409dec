import type { LinkTerms, Use } from '@gatehouse/door/decision.ts'
import { eventDay, UTC_DAYS } from '@gatehouse/door/event-day.ts'
import { type KnownGuest, readSnapshot, type Snapshot } from '@gatehouse/door/snapshot.ts'
import { type SnapshotHead, SnapshotWriter } from '@gatehouse/door/snapshot-writing.ts'
import { expect, test } from 'vitest'
import { personsToCome } from '../src/offline/to-come.ts'

const NOW = Date.parse('2027-05-01T18:00:00Z')
const TODAY = eventDay(NOW, UTC_DAYS)

/** A guest, and what is used of its allowances. */
interface Guest extends Partial<KnownGuest> {
  uses?: Use[]
  /** Who came in, where some have come out since. */
  entered?: Use[]
}

/** A snapshot of guests, all of the category `vip` unless they say otherwise, which has this link at the door. */
function snapshotOf(guests: Guest[], link: LinkTerms | undefined = { max_allowed_accesses: 1 }): Snapshot {
  const head: SnapshotHead = {
    event_id: 'event',
    cursor: '1',
    made_at: '',
    salt: 'salt',
    accesspoints: new Map(['door', 'lounge', 'exit'].map((_id) => [_id, { name: _id }])),
    areas: new Map(),
    exits: new Set(['exit']),
    areaOf: new Map(),
    day: UTC_DAYS,
    fields: new Map(),
    categories: new Map(['vip', 'crew'].map((_id) => [_id, { name: _id }])),
    links: new Map([['door', new Map(link ? [['vip', link]] : [])]]),
  }
  const writer = new SnapshotWriter(head)
  for (const [index, { uses = [], entered = [], ...guest }] of guests.entries())
    writer.add(`hash${index}`.padEnd(8), { guest_category_id: 'vip', access_privileges: [], ...guest }, uses, entered)
  return readSnapshot(writer.finish('whole'))
}
const toCome = (guests: Guest[], link?: LinkTerms, point = 'door') =>
  personsToCome(snapshotOf(guests, link), point, NOW)

test('still to come are the persons of guests with a right at a check-in point who were not let in there', async () => {
  expect(await toCome([{}, { party_size: 4 }, { guest_category_id: 'crew' }])).toBe(5)
  expect(await toCome([{ uses: [['door', 1]] }, { party_size: 4, uses: [['door', 3]] }])).toBe(1)
  expect(await toCome([{ uses: [['lounge', 1]] }])).toBe(1)
  expect(await toCome([{ uses: [['door', 1]] }])).toBe(0)
})

test('whoever comes several times counts once, and a party that became smaller counts as it is now', async () => {
  const unlimited = { max_allowed_accesses: -1 }
  expect(await toCome([{ party_size: 2, uses: [['door', 5]] }, {}], unlimited)).toBe(1)
})

test('a guest’s own right counts as a link does', async () => {
  const access_privileges = [{ accesspoint_id: 'lounge', access_once: true }]
  expect(await toCome([{ access_privileges, party_size: 2 }, {}], undefined, 'lounge')).toBe(2)
  expect(await toCome([{ access_privileges, uses: [['lounge', 1]] }, { access_privileges }], undefined, 'lounge')).toBe(
    1,
  )
})

test('a right that has not begun counts, one that has ended or allows nothing does not', async () => {
  const link = { max_allowed_accesses: 1 }
  expect(await toCome([{}], { ...link, valid_from: NOW + 1 })).toBe(1)
  expect(await toCome([{}], { ...link, valid_until: NOW + 1 })).toBe(1)
  expect(await toCome([{}], { ...link, valid_until: NOW })).toBeUndefined()
  expect(await toCome([{}], { max_allowed_accesses: 0 })).toBeUndefined()
})

test('where an allowance counts anew each day, those let in today count', async () => {
  const link = { max_allowed_accesses: 1, period: 'day' as const }
  expect(await toCome([{ uses: [['door', 1, TODAY]] }, { uses: [['door', 1, TODAY - 1]] }], link)).toBe(1)
})

test('whoever came in and has come out since, and may come in again, is not still to come', async () => {
  const link = { max_allowed_accesses: 1, reentry: true as const }
  expect(
    await toCome([{ entered: [['door', 1]] }, { party_size: 4, uses: [['door', 1]], entered: [['door', 3]] }], link),
  ).toBe(1)
  const daily = { ...link, period: 'day' as const }
  expect(await toCome([{ entered: [['door', 1, TODAY]] }, { entered: [['door', 1, TODAY - 1]] }], daily)).toBe(1)
})

test('nobody is expected at an exit, nor where no guest has a right', async () => {
  expect(await toCome([{}], undefined, 'exit')).toBeUndefined()
  expect(await toCome([{}], undefined, 'lounge')).toBeUndefined()
})
