import { BSON } from 'mongodb'
import type { StoredEvent } from '../events/store.ts'

/** An event as a line of an archive, and its title. */
export function lineOf(event: StoredEvent): { event: string; title: string } {
  return { event: BSON.EJSON.stringify(event, { relaxed: true }), title: event.title }
}
