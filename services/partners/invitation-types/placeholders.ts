/** What an invitation type's subject and message may contain, as `{{first_name}}`: each stands for a value of the recipient's invitation. */
export const placeholders = ['first_name', 'last_name', 'email', 'event_title', 'partner_name', 'link'] as const

/** The value of each placeholder. */
export type PlaceholderValues = Record<(typeof placeholders)[number], string>

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** The placeholders of a text which do not exist, as they are written. */
export function unknownPlaceholders(text: string | null | undefined): string[] {
  const names: readonly string[] = placeholders
  return Array.from((text ?? '').matchAll(PLACEHOLDER)).flatMap(([written, name = '']) =>
    names.includes(name.trim()) ? [] : [written],
  )
}

/** A text with the values in place of its placeholders. A value is not looked at again, whatever it contains. */
export function filled(text: string, values: PlaceholderValues): string {
  return text.replaceAll(
    PLACEHOLDER,
    (written, name: string) => values[name.trim() as keyof PlaceholderValues] ?? written,
  )
}
