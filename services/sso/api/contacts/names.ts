import type { StoredContact } from './store.ts'

type ContactNames = Pick<StoredContact, 'first_name' | 'last_name'>

/** The name of a contact as one text; null without a name. */
export function nameOf({ first_name, last_name }: ContactNames): string | null {
  return [first_name, last_name].filter(Boolean).join(' ') || null
}

/** A name as contacts have it: what comes after its last blank is the last name. */
export function namesOf(name: string | null): ContactNames {
  const at = name?.lastIndexOf(' ') ?? -1
  if (name === null || at < 0) return { first_name: name || null, last_name: null }
  return { first_name: name.slice(0, at), last_name: name.slice(at + 1) }
}
