import { client } from '../server/server.ts'
import { type ConsoleSay, named } from '../texts/words.ts'

const DOCUMENTS = '/api/v1/events/{event_id}/personal_documents.json'

/** Whose personal data is meant, at which event. */
export interface Subject {
  event_id: string
  /** The title of the event. */
  event: string
  /** What the person is called here. */
  name: string
  by: 'guest_id' | 'email'
  value: string
}

/** What an erasure keeps: the block list, the audit log, staff, and addresses for answers (docs/personal-data.md). */
const KEPT = ['partners.blocked_recipients', 'sso.audit_records', 'sso.staff_members', 'sso.accounts', 'guests.events']

/** Whether an erasure keeps a kind of data. */
export function isKept(data: string): boolean {
  return KEPT.includes(data)
}

/** What is stored of a person at an event, by the name of its resource. */
export type PersonalDocuments = ReadonlyMap<string, readonly unknown[]>

/** Reads all that is stored of a person at an event (docs/interface.md 5.18). */
export async function documentsOf({ event_id, by, value }: Subject, signal?: AbortSignal): Promise<PersonalDocuments> {
  const found = new Map<string, unknown[]>()
  for (let after: string | undefined; ; ) {
    const query = { by, value, ...(after !== undefined && { after }) }
    const { data } = await client.GET(DOCUMENTS, {
      params: { path: { event_id }, query },
      ...(signal && { signal }),
    })
    if (data.items.length > 0) found.set(data.data, [...(found.get(data.data) ?? []), ...data.items])
    if (!data.next) return found
    after = data.next
  }
}

/** What a kind of data is called: that of `leads.connections`. */
export function dataName(say: ConsoleSay, data: string): string {
  const [, kind = data] = data.split('.')
  const own = named(say, 'data_of', kind)
  return own === kind ? named(say, 'page', kind) : own
}
