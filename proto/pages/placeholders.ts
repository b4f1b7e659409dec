/*
 * What a subject or a message may contain, as `{{first_name}}`: it stands for a value, or, as in `{{first_name|guest}}`, for a text where there is no
 * value.
 */

/** What stands between double braces. */
export const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

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

/** A text with the values in place of its placeholders. A value is not looked at again, whatever it contains. */
export function filled(text: string, values: NamedValues): string {
  const names = Object.keys(values)
  return text.replaceAll(PLACEHOLDER, (written, inside: string) => {
    const known = readPlaceholder(inside, names)
    return known ? values[known.name] || known.fallback : written
  })
}
