import { identifier, list, maybe, optionalDatetime, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { topic } from '@gatehouse/proto/declaring/topic.ts'
import type { Static } from 'typebox'
import { order } from './badge-orders/resource.ts'

const change = record({
  event_id: identifier(),
  uids: list(text({ pattern: '', minLength: 0, maxLength: 4_096 }), 'uid', {
    description: 'The uids that the guests had or have',
  }),
  moved_from: maybe(
    optionalDatetime({
      description: 'The creation of the oldest guest that came or went; null if none did, absent if it is not known',
    }),
  ),
})

/** A change of guests of an event. */
export type GuestChange = Static<typeof change>

/** Guests have changed. */
export const changed = topic('guests', change)
/** Guests are about to lose these uids. */
export const leaving = topic('guests_leaving', change)
/** It is stored otherwise when guests first came in, or were written to last. */
export const entered = topic('guests_entered', record({ event_id: identifier() }))
/** E-mails to hosts may be due. The text is empty. */
export const hostMails = topic('host_mails')
/** Orders of badges are stored. */
export const badgesDue = topic('badges_due', list(order, 'order'))
/** Guests are deleted. */
export const gone = topic('guests_gone', record({ event_id: identifier(), guest_ids: list(identifier(), 'guest_id') }))
/** An event is archived, or no longer. */
export const archived = topic('events_archived', record({ event_id: identifier() }))
/** An event has come from an archive: what is known of its id may be of another life of it. */
export const imported = topic('events_imported', record({ event_id: identifier() }))
