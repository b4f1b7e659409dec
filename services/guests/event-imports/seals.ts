import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { EVENT_PAGE } from '@gatehouse/proto/formats/archives/manifest.ts'
import { collectionOf } from '@gatehouse/proto/formats/archives/pages.ts'
import { digestOf } from '@gatehouse/proto/formats/archives/writing.ts'
import type { Dependencies } from '../dependencies.ts'
import { isSealed } from '../event-archives/sealing.ts'

/** The collection of the event itself in an archive. */
export const EVENT_COLLECTION: string = collectionOf(EVENT_PAGE) ?? ''

/** A page that somebody sends. */
interface SentPage {
  from_account_id: string
  event_id: string
  collection: string
  documents: string
  seal: string
}

/**
 * Refuses a page that this Gatehouse has not given out as it is. Records are stored as they come: others could name what is not theirs, or be of
 * a form that breaks whoever reads them. Which of the fields is wrong nobody can say: all that are sent are named.
 */
export function checkSeal(
  { encrypter }: Dependencies,
  { from_account_id, event_id, collection, documents, seal }: SentPage,
  fields: readonly string[],
): void {
  const digest = digestOf({ account_id: from_account_id, event_id }, collection, documents)
  if (!isSealed(encrypter, digest, seal))
    throw invalid(Object.fromEntries(fields.map((name) => [name, [messageOf('not_sealed')]])))
}
