import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import type { Subject } from '@gatehouse/proto/declaring/personal-data.ts'
import type { PersonalKind } from '@gatehouse/proto/privacy/serving.ts'
import type { EventStore, StoredEvent } from './store.ts'

/** Events as personal data of the person to whom answers to their e-mails go. */
export function personalEvents(store: EventStore): PersonalKind {
  async function eventOf({ event_id, person }: Subject): Promise<StoredEvent | undefined> {
    if (!person) return undefined
    const event = await store.get(event_id)
    const address = event?.reply_to_email
    return event && address && person.emails.includes(normalized(address) ?? address) ? event : undefined
  }

  return {
    declared: {
      name: 'guests.events',
      outcome: 'kept',
      reason: 'since answers to the e-mails of the event go there: set another reply_to_email',
    },
    count: async (subject) => ((await eventOf(subject)) ? 1 : 0),
    erase: async () => true,
    async page(subject) {
      const event = await eventOf(subject)
      const items = event ? [{ _id: event._id, title: event.title, reply_to_email: event.reply_to_email }] : []
      return { items, next: undefined }
    },
  }
}
