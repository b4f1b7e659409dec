import { hrefOf } from '../route/route.ts'

/** The filters of the list of guests that choose badges too. */
export const PRINTED = ['category', 'checked_in'] as const

/** Whether a search for guests can be printed: whatever else it asks for, badges cannot be chosen by. */
export function isPrintable(query: Readonly<Record<string, string>>): boolean {
  return Object.keys(query).every((name) => name === 'sort' || PRINTED.some((each) => each === name))
}

/** The address at which the badges of a search for guests are printed. */
export function printHref(event_id: string, query: Readonly<Record<string, string>>): string {
  const chosen = PRINTED.flatMap((name) => (query[name] ? [[name, query[name]]] : []))
  const text = new URLSearchParams(chosen).toString()
  return `${hrefOf('events', event_id, 'badge_templates')}${text && `?${text}`}`
}
