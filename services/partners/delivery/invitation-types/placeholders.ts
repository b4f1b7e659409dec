import { PLACEHOLDER, readPlaceholder } from '@gatehouse/proto/pages/placeholders.ts'

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

/** The placeholders of a text that are none of the names, as they are written. */
export function unknownPlaceholders(
  text: string | null | undefined,
  names: readonly string[] = placeholders,
): string[] {
  return Array.from((text ?? '').matchAll(PLACEHOLDER)).flatMap(([written, inside = '']) =>
    readPlaceholder(inside, names) ? [] : [written],
  )
}
