import { Form, type FormProps } from '../form/form.tsx'
import type { PageProps } from '../resources/resource.ts'
import { BadgeLines } from './badge-lines.tsx'
import { BadgePreview } from './badge-preview.tsx'
import { BadgeSize } from './badge-size.tsx'

/** The form of a badge template, with the badge beside it as it prints. */
export function BadgeForm({ params, ...form }: FormProps & PageProps) {
  const event_id = params.event_id ?? ''
  return (
    <Form
      {...form}
      editors={{
        width_mm: (held) => <BadgeSize key="size" fields={form.fields} {...held} />,
        // It is edited with the width.
        height_mm: () => [],
        lines: (held) => <BadgeLines key="lines" event_id={event_id} {...held} />,
      }}
      preview={(values) => <BadgePreview event_id={event_id} values={values} />}
    />
  )
}
