import { Form } from '../form/form.tsx'
import type { FormFields } from '../form/values.ts'
import { type GuestField, useGuestFields } from '../guests/guest-fields.ts'
import type { CellProps, EditorProps } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { named } from '../texts/words.ts'
import { Cell } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'

const SHARED = 'lead_guest_fields'
/** What exhibitors may see of each guest, besides guest fields. */
const DISCLOSED = ['first_name', 'last_name', 'company_name', 'position', 'email', 'phone_number', 'uid']

/** The form of an event: what exhibitors see of guests is ticked, and nobody makes one in a time zone that they have not seen. */
export function EventEditor(props: EditorProps) {
  return props.item ? <WithGuestFields {...props} /> : <Editor {...props} guestFields={[]} />
}

function WithGuestFields(props: EditorProps) {
  const guestFields = useGuestFields(String(props.item?._id))
  return guestFields ? <Editor {...props} guestFields={guestFields} /> : null
}

function Editor({ guestFields, names, fields, ...form }: EditorProps & { guestFields: readonly GuestField[] }) {
  const shared = useSharedNames(form.item, guestFields)
  const { timezone } = fields
  const asked: FormFields = { ...fields, ...(timezone && { timezone: { ...timezone, required: true } }) }
  return <Form {...form} fields={asked} names={{ ...names, [SHARED]: shared }} />
}

/** What exhibitors see of each guest, in words. */
export function SharedFields({ item }: CellProps) {
  const names = useSharedNames(item, useGuestFields(String(item._id)) ?? [])
  return <Cell kind="texts" value={item[SHARED]} names={names} />
}

/** The names of what exhibitors may see of guests. */
function useSharedNames(item: Item | undefined, guestFields: readonly GuestField[]): ReadonlyMap<string, string> {
  const { say } = useConsole()
  const known = new Map([
    ...DISCLOSED.map((each) => [each, named(say, 'field', each)] as const),
    ...guestFields.map(({ key, label }) => [key, label] as const),
  ])
  // What is ticked moves nothing: the order is that of a new event.
  const others = ((item?.[SHARED] ?? []) as string[]).filter((each) => !known.has(each))
  return new Map([...known, ...others.map((each) => [each, each] as const)])
}
