import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller, Output } from '@gatehouse/proto/declaring/resource.ts'
import { GUEST_METADATA_PREFIX, guestColumns, type PlainField } from '../guest-columns.ts'
import { mapColumns } from '../import-guests/headers.ts'
import { allPages } from '../pages.ts'
import { accesspoints, guestCategories, guests } from '../permissions.ts'
import { retried } from '../retry.ts'

type ListedGuest = Output<(typeof guests)['actions']['list']>[number]

/** A column of metadata entries of one name. A name that occurs several times in a guest has several columns. */
interface MetadataColumn {
  name: string
  /** Which of a guest's entries of this name, from 0. */
  nth: number
}

/** Names of categories and check-in points, which stand beside or in place of their ids. */
interface ReferenceNames {
  categories: Map<string, string>
  accesspoints: Map<string, string>
}

type ReadColumn = (guest: ListedGuest, names: ReferenceNames) => string | null

const plainColumns = (fields: PlainField[]): Record<string, ReadColumn> =>
  Object.fromEntries(fields.map((field) => [field, (guest) => cellOf(guest[field])]))

function cellOf(value: string | Date | null): string | null {
  return value instanceof Date ? value.toISOString() : value
}

const columns: Record<string, ReadColumn> = {
  _id: (guest) => guest._id,
  ...plainColumns(guestColumns.who),
  guest_category: ({ guest_category_id: id }, { categories }) => categories.get(id) ?? id,
  guest_category_id: (guest) => guest.guest_category_id,
  ...plainColumns(guestColumns.rest),
  access_privileges: ({ access_privileges: privileges }, { accesspoints: points }) =>
    privileges.length === 0
      ? ''
      : JSON.stringify(
          privileges.map(({ accesspoint_id: id, access_once }) => ({ accesspoint: points.get(id) ?? id, access_once })),
        ),
  badge_completed: (guest) => String(guest.badge_completed),
  badge_url: (guest) => guest.badge_url,
  event_id: (guest) => guest.event_id,
  created_at: (guest) => guest.created_at.toISOString(),
  updated_at: (guest) => guest.updated_at.toISOString(),
}

/**
 * The guests of an event as CSV rows, newest first, below a header. The list is read twice: first for the names of the
 * metadata, of which each becomes a column. An entry without a value is an empty cell.
 * Names of metadata added meanwhile, for which there is no column, go into `leftOut`.
 */
export async function* guestRows(
  bus: Bus,
  caller: Caller,
  event_id: string,
  leftOut: Set<string>,
): AsyncGenerator<string[]> {
  const client = clientOf(bus, guests)
  const where = { params: { event_id }, caller }
  const all = () => allPages((page) => client.list({ ...where, query: { ...page, guest_metadata: true } }))
  const names: ReferenceNames = {
    categories: byId(await retried(() => clientOf(bus, guestCategories).list(where))),
    accesspoints: byId(await retried(() => clientOf(bus, accesspoints).list(where))),
  }
  const metadata = await metadataColumns(all())
  yield [...Object.keys(columns), ...metadata.map(({ name }) => metadataHeader(name))]
  const known = new Set(metadata.map(keyOf))
  for await (const guest of all()) {
    const values = entriesOf(guest)
    for (const key of values.keys()) if (!known.has(key)) leftOut.add(nameOf(key))
    yield [
      ...Object.values(columns).map((read) => read(guest, names) ?? ''),
      ...metadata.map((column) => values.get(keyOf(column)) ?? ''),
    ]
  }
}

async function metadataColumns(all: AsyncIterable<ListedGuest>): Promise<MetadataColumn[]> {
  const most = new Map<string, number>()
  for await (const guest of all) {
    for (const [name, entries] of Map.groupBy(guest.guest_metadata ?? [], ({ name }) => name)) {
      most.set(name, Math.max(most.get(name) ?? 0, entries.length))
    }
  }
  return [...most].flatMap(([name, times]) => Array.from({ length: times }, (_, nth) => ({ name, nth })))
}

function entriesOf({ guest_metadata = [] }: ListedGuest): Map<string, string | null> {
  const seen = new Map<string, number>()
  return new Map(
    guest_metadata.map(({ name, value }) => {
      const nth = seen.get(name) ?? 0
      seen.set(name, nth + 1)
      return [keyOf({ name, nth }), value]
    }),
  )
}

function keyOf({ name, nth }: MetadataColumn): string {
  return `${nth} ${name}`
}

function nameOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}

/** A header that an import reads as metadata of this name. */
export function metadataHeader(name: string): string {
  const [column] = mapColumns([name.trim().normalize()])
  const plain = column && 'metadata' in column && column.metadata === name
  return plain ? name : `${GUEST_METADATA_PREFIX}${name}`
}

function byId(things: { _id: string; name: string }[]): Map<string, string> {
  return new Map(things.map(({ _id, name }) => [_id, name]))
}
