import { heldList } from '@gatehouse/proto/storage/documents.ts'

/** The metadata that each guest of an invitation has: the names of its partner and of its invitation type. */
export const OWN_METADATA: readonly string[] = ['partner', 'campaign']

/** One piece of a guest's metadata. */
export interface Metadatum {
  name: string
  value: string | null
}

/** What a recipient gave with an acceptance. */
export interface Registration {
  first_name: string | null
  last_name: string | null
  /** The fields that were asked for; null where the recipient left one empty. */
  guest_metadata: Metadatum[]
  /** The language of the page. */
  language: string
}

/** A recipient as its partner gave it, and what it gave itself after that. */
interface Known extends Omit<Registration, 'language'> {
  registration?: Registration
}

/** What is known of a recipient. */
export function knownOf({
  first_name,
  last_name,
  guest_metadata,
  registration,
}: Known): Omit<Registration, 'language'> {
  const own = [...heldList(guest_metadata)]
  if (typeof registration !== 'object' || registration === null) return { first_name, last_name, guest_metadata: own }
  return { ...registration, guest_metadata: merged(own, heldList(registration.guest_metadata)) }
}

/** Metadata with further ones, which take the place of those of the same name; without those that are null afterwards. */
export function merged(metadata: readonly Metadatum[], further: readonly Metadatum[]): Metadatum[] {
  const byName = new Map(further.map((each) => [each.name, each]))
  const kept = metadata.map((each) => byName.get(each.name) ?? each)
  const names = new Set(kept.map(({ name }) => name))
  return [...kept, ...further.filter(({ name }) => !names.has(name))].filter(({ value }) => value !== null)
}
