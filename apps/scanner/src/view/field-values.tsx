import type { FieldValue } from '../scanning/scan.ts'

/** The values of the guest fields that the organizer wants to be seen at the door. */
export function FieldValues({ fields = [] }: { fields: readonly FieldValue[] | undefined }) {
  if (fields.length === 0) return null
  return (
    <dl class="fields">
      {fields.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
