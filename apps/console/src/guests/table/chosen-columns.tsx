import type { ListColumn } from '../../list/column.ts'
import { guests } from '../../resources/resources.ts'
import type { Item } from '../../server/server.ts'
import { named } from '../../texts/words.ts'
import { type Columns, ColumnTicks, useColumns } from '../../view/column-choice.tsx'
import { useConsole } from '../../view/console.ts'
import { type GuestField, metadataOf } from '../guest-fields.ts'

/** The guest's own columns, in their order. */
const OWN = [
  ...['last_name', 'first_name', 'company_name', 'position', 'guest_category_id', 'email', 'phone_number'],
  ...['party_size', 'rsvp_status', 'status', 'checked_in_at', 'uid', 'source', 'created_at', 'registered_at'],
  ...['order_uid', 'promo_code', 'host_email', 'message'],
]
/** Distinguishes a guest field from a column of the same name. */
const FIELD = 'field:'

/** The columns of a table of guests. */
export interface ChosenColumns extends Columns {
  own: string[]
  fields: ListColumn<Item>[]
}

/** The columns that someone has chosen for an event. */
export function useChosenColumns(event_id: string, guestFields: readonly GuestField[]): ChosenColumns {
  const all = [...OWN, ...guestFields.map((field) => FIELD + field.key)]
  const columns = useColumns(`columns ${event_id}`, all, guests.columns)
  const { names } = columns
  return {
    ...columns,
    own: names.filter((name) => !name.startsWith(FIELD)),
    fields: guestFields.filter((field) => names.includes(FIELD + field.key)).map(columnOf),
  }
}

/** A button that opens the choice of columns. */
export function ColumnChoice({ chosen, guestFields }: { chosen: ChosenColumns; guestFields: readonly GuestField[] }) {
  const { say } = useConsole()
  const choices = [
    ...OWN.map((name) => [name, named(say, 'field', name)] as const),
    ...guestFields.map(({ key, label }) => [FIELD + key, label] as const),
  ]
  return <ColumnTicks columns={chosen} choices={choices} />
}

function columnOf({ key, label }: GuestField): ListColumn<Item> {
  return {
    name: FIELD + key,
    title: label,
    isEmpty: (item) => metadataOf(item, key) === '',
    show: (item) => metadataOf(item, key) || <span class="quiet">–</span>,
  }
}
