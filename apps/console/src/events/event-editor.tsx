import { Form } from '../form/form.tsx'
import type { FormFields } from '../form/values.ts'
import { type GuestField, useGuestFields } from '../guests/guest-fields.ts'
import type { EditorProps } from '../resources/resource.ts'
import { named } from '../texts/words.ts'
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
  const { say } = useConsole()
  const { timezone } = fields
  const asked: FormFields = { ...fields, ...(timezone && { timezone: { ...timezone, required: true } }) }
  const others = (form.item?.[SHARED] ?? []) as string[]
  const shared = new Map([
    ...others.map((each) => [each, each] as const),
    ...DISCLOSED.map((each) => [each, named(say, 'field', each)] as const),
    ...guestFields.map(({ key, label }) => [key, label] as const),
  ])
  return <Form {...form} fields={asked} names={{ ...names, [SHARED]: shared }} />
}
