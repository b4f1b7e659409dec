import { useState } from 'preact/hooks'
import { Tick } from '../../form/field.tsx'
import type { ListColumn } from '../../list/column.ts'
import { guests } from '../../resources/resources.ts'
import { useQuery } from '../../route/route.ts'
import type { Item } from '../../server/server.ts'
import { named } from '../../texts/words.ts'
import { useConsole } from '../../view/console.ts'
import { Opening } from '../../view/opening.tsx'
import { readStored, store } from '../../view/stored.ts'
import type { GuestField } from '../guest-fields.ts'

/** The guest's own columns, in their order. */
const OWN = [
  ...['last_name', 'first_name', 'company_name', 'position', 'guest_category_id', 'email', 'phone_number'],
  ...['party_size', 'rsvp_status', 'status', 'checked_in_at', 'uid', 'source', 'created_at', 'registered_at'],
  ...['order_uid', 'promo_code', 'host_email', 'message'],
]
/** Distinguishes a guest field from a column of the same name. */
const FIELD = 'field:'
/** The parameter of the address: views and links have the columns there. */
const COLUMNS = 'columns'

/** The columns of a table of guests. */
export interface ChosenColumns {
  /** All names, in the order of the table. */
  names: string[]
  own: string[]
  fields: ListColumn<Item>[]
  choose: (names: string[]) => void
  /** Whether these are not the columns that everybody has at first. */
  isChosen: boolean
}

/** The columns that someone has chosen for an event: those of the address, or those that this browser keeps. */
export function useChosenColumns(event_id: string, guestFields: readonly GuestField[]): ChosenColumns {
  const [{ [COLUMNS]: given, ...others }, replace] = useQuery()
  const key = `columns ${event_id}`
  const [kept, setKept] = useState(() => readStored(key, [], isNames))
  const all = [...OWN, ...guestFields.map((field) => FIELD + field.key)]
  const wanted = given === undefined ? kept : given.split(',').map(decoded)
  const found = all.filter((name) => wanted.includes(name))
  const names = found.length > 0 ? found : all.filter((name) => guests.columns.includes(name))
  return {
    names,
    own: names.filter((name) => !name.startsWith(FIELD)),
    fields: guestFields.filter((field) => names.includes(FIELD + field.key)).map(columnOf),
    isChosen: found.length > 0,
    choose: (next) => {
      store(key, next)
      setKept(next)
      if (given !== undefined) replace(others)
    },
  }
}

/** The parameter by which an address names these columns. */
export function columnsParam({ names, isChosen }: ChosenColumns): Record<string, string> {
  return isChosen ? { [COLUMNS]: names.map(encodeURIComponent).join(',') } : {}
}

/** A button that opens the choice of columns. At least one stays. */
export function ColumnChoice({ chosen, guestFields }: { chosen: ChosenColumns; guestFields: readonly GuestField[] }) {
  const { say } = useConsole()
  const { names, choose } = chosen
  const turn = (name: string, isOn: boolean): void => {
    const next = isOn ? [...names, name] : names.filter((each) => each !== name)
    if (next.length > 0) choose(next)
  }
  const choices = [
    ...OWN.map((name) => [name, named(say, 'field', name)] as const),
    ...guestFields.map(({ key, label }) => [FIELD + key, label] as const),
  ]
  return (
    <Opening name="opening" button="button second" text={say('columns')}>
      {choices.map(([name, words]) => (
        <Tick key={name} words={words} isOn={names.includes(name)} onTurn={(isOn) => turn(name, isOn)} />
      ))}
      <button type="button" class="second" onClick={() => choose([])}>
        {say('columns_reset')}
      </button>
    </Opening>
  )
}

function columnOf({ key, label }: GuestField): ListColumn<Item> {
  return {
    name: FIELD + key,
    title: label,
    isEmpty: (item) => metadataOf(item, key) === '',
    show: (item) => metadataOf(item, key) || <span class="quiet">–</span>,
  }
}

/** The values that a guest has under the key of a guest field. */
export function metadataOf({ guest_metadata }: Item, key: string): string {
  const all = Array.isArray(guest_metadata) ? (guest_metadata as { name: string; value: string | null }[]) : []
  return all.flatMap(({ name, value }) => (name === key && value ? [value] : [])).join(', ')
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
