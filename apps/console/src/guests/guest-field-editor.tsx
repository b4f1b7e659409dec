import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Form, type Held } from '../form/form.tsx'
import type { EditorProps, ItemProps } from '../resources/resource.ts'
import { useConsole } from '../view/console.ts'

/** Runs of what stands between words. */
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu
const MAX_KEY = 60

const editors: NonNullable<EditorProps['editors']> = { key: (held, usual) => <Key {...{ held, usual }} /> }

/** The form of a guest field: people give it a label, of which its key is made. That stays then: answers are stored, and e-mails written, by it. */
export function GuestFieldEditor({ fields, ...form }: EditorProps) {
  const { label, key, ...others } = fields
  // Without a label there would be no key either.
  const asked = {
    ...(label && { label: { ...label, required: true as const } }),
    ...others,
    ...(key && !form.item && { key }),
  }
  return <Form {...form} fields={asked} editors={editors} />
}

/** Says in place of the deletion that there is none, and how guests are no longer asked for the field if they are. */
export function GuestFieldStays({ item }: ItemProps) {
  const { say } = useConsole()
  const asked = say('field_use_in_registration')
  return (
    <p class="quiet acts">
      {say('guest_field_stays')} {item.use_in_registration === true && say('guest_field_unasked', { asked })}
    </p>
  )
}

interface KeyProps {
  held: Held
  usual: ComponentChildren
}

/** The key, which follows the label until somebody types another one, or the field is stored. */
function Key({ held: { values, change }, usual }: KeyProps) {
  const made = useRef('')
  const label = String(values.label)
  useEffect(() => {
    if (values.key !== made.current) return
    made.current = keyOf(label)
    change('key', made.current)
  }, [label])
  return <>{usual}</>
}

/** The key of a guest field with a label, `table_number` of "Table number". */
export function keyOf(label: string): string {
  return label
    .normalize('NFC')
    .toLowerCase()
    .replace(BETWEEN_WORDS, ' ')
    .trim()
    .slice(0, MAX_KEY)
    .trim()
    .replaceAll(' ', '_')
}
