import { useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { Form } from '../form/form.tsx'
import type { FormFields } from '../form/values.ts'
import type { EditorProps } from '../resources/resource.ts'
import { useMayChange } from '../view/event.ts'
import { BadgeLines } from './badge-lines.tsx'
import { BadgePreview } from './badge-preview.tsx'
import { BadgeSize } from './badge-size.tsx'
import { TemplateLogo } from './template-logo.tsx'

const TEMPLATES = '/api/v1/events/{event_id}/badge_templates.json'

/** The form of a badge template, with the badge beside it as it prints. */
export function BadgeForm({ params, ...form }: EditorProps) {
  const event_id = params.event_id ?? ''
  const mayMake = useMayChange()
  const [logo, setLogo] = useState({ isThere: Boolean(form.item?.logo_id), changes: 0 })
  const id = form.item && String(form.item._id)
  const { colour } = form.fields
  const fields: FormFields = { ...form.fields, ...(colour && { colour: { ...colour, known: 'colours' } }) }
  return (
    <>
      <Form
        {...form}
        fields={fields}
        editors={{
          width_mm: (held) => <BadgeSize key="size" fields={form.fields} {...held} />,
          // It is edited with the width.
          height_mm: () => [],
          lines: (held) => <BadgeLines key="lines" event_id={event_id} {...held} />,
        }}
        preview={(values) => <BadgePreview {...{ event_id, id, values }} logoChanges={logo.changes} />}
      />
      {id !== undefined && mayMake(declaredOf(TEMPLATES).changes ?? 'owner') && (
        <TemplateLogo
          {...{ event_id, id }}
          hasLogo={logo.isThere}
          onChange={(isThere) => setLogo(({ changes }) => ({ isThere, changes: changes + 1 }))}
        />
      )}
    </>
  )
}
