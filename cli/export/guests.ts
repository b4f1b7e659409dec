import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller, Output } from '@gatehouse/proto/declaring/resource.ts'
import { MetadataColumns, privilegesCell } from '@gatehouse/proto/formats/lists/guest-export.ts'
import { guestFields, type PlainField } from '../guest-fields.ts'
import { guestColumns } from '../import-guests/headers.ts'
import { allPages } from '../pages.ts'
import { accesspoints, guestCategories, guests } from '../permissions.ts'
import { retried } from '../retry.ts'

type ListedGuest = Output<(typeof guests)['actions']['list']>[number]

/** Names of categories and check-in points, which stand beside or in place of their ids. */
interface ReferenceNames {
  categories: Map<string, string>
  accesspoints: Map<string, string>
}

type ReadColumn = (guest: ListedGuest, names: ReferenceNames) => string | null

const plainColumns = (fields: PlainField[]): Record<string, ReadColumn> =>
  Object.fromEntries(fields.map((field) => [field, (guest) => cellOf(guest[field])]))

function cellOf(value: string | number | Date | null): string | null {
  if (value instanceof Date) return value.toISOString()
  return value === null ? null : String(value)
}

const columns: Record<string, ReadColumn> = {
  _id: (guest) => guest._id,
  ...plainColumns(guestFields.who),
  guest_category: ({ guest_category_id: id }, { categories }) => categories.get(id) ?? id,
  guest_category_id: (guest) => guest.guest_category_id,
  ...plainColumns(guestFields.rest),
  access_privileges: (guest, { accesspoints: points }) => privilegesCell(guest, points),
  checked_in_at: (guest) => cellOf(guest.checked_in_at),
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
  const metadata = new MetadataColumns()
  for await (const guest of all()) metadata.add(guest)
  yield [...Object.keys(columns), ...metadata.headers(guestColumns)]
  for await (const guest of all()) {
    const values = metadata.cells(guest, (name) => leftOut.add(name))
    yield [...Object.values(columns).map((read) => read(guest, names) ?? ''), ...values]
  }
}

function byId(things: { _id: string; name: string }[]): Map<string, string> {
  return new Map(things.map(({ _id, name }) => [_id, name]))
}
