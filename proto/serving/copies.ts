import { derivedId } from '../bus/client.ts'

/** What each document of an event has. */
interface OfEvent {
  _id: string
  event_id: string
  created_at: Date
  updated_at: Date
}

/** The `_id` that the copy of a document has in another event: the same in each try, and in each service that refers to it. */
export function copyId(event_id: string, _id: string): string {
  return derivedId('copy', event_id, _id)
}

/** Copies documents, which are in the order of their creation, into an event that was created `at`; that order stays. */
export function copiesOf<T extends OfEvent>(documents: T[], event_id: string, at: Date): T[] {
  const before = at.getTime() - documents.length
  return documents.map((document, index) => ({
    ...document,
    _id: copyId(event_id, document._id),
    event_id,
    created_at: new Date(before + index + 1),
    updated_at: at,
  }))
}
