/**
 * What an invitation type's subject and message may contain, as `{{first_name}}`: each stands for a value of the recipient's invitation, or, as
 * in `{{first_name|guest}}`, for a text where there is no value.
 */
export const placeholders = [
  'first_name',
  'last_name',
  'email',
  'event_title',
  'event_dates',
  'event_location',
  'partner_name',
  'link',
] as const

/** The value of each placeholder. */
export type PlaceholderValues = Record<(typeof placeholders)[number], string>

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** Values by the names of their placeholders. */
export type NamedValues = Readonly<Record<string, string>>

/** What stands between the braces of a placeholder. */
export interface Placeholder {
  name: string
  /** What stands in place of an empty value. */
  fallback: string
}

/** Reads what stands between braces; undefined if it is none of the names. */
export function readPlaceholder(inside: string, names: readonly string[]): Placeholder | undefined {
  const [wanted = '', ...rest] = inside.split('|')
  const name = names.find((each) => each === wanted.trim())
  return name === undefined ? undefined : { name, fallback: rest.join('|').trim() }
}

/** The placeholders of a text that are none of the names, as they are written. */
export function unknownPlaceholders(
  text: string | null | undefined,
  names: readonly string[] = placeholders,
): string[] {
  return Array.from((text ?? '').matchAll(PLACEHOLDER)).flatMap(([written, inside = '']) =>
    readPlaceholder(inside, names) ? [] : [written],
  )
}

/** A text with the values in place of its placeholders. A value is not looked at again, whatever it contains. */
export function filled(text: string, values: NamedValues): string {
  const names = Object.keys(values)
  return text.replaceAll(PLACEHOLDER, (written, inside: string) => {
    const known = readPlaceholder(inside, names)
    return known ? values[known.name] || known.fallback : written
  })
}
