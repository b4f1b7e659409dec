import { integer, list, record, SUBJECT_WORD, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** Items of an event, as the stream has them. */
const message = text({ verbatim: true, minLength: 0, pattern: '', maxLength: 1_048_576 })
const event_id = text({ pattern: SUBJECT_WORD.source })

/** Watched events: their domain events go to the stream that gateways read for live feeds. */
export const live = resource('hooks.live', 'watch', {
  watch: {
    summary: 'Have what happens in an event shown for another day',
    reads: true,
    body: record({ event_id }),
    reply: record({}),
  },
  read: {
    summary:
      'Messages of an event in the stream after a sequence, for gateways of other cells; and the first and last one of all events',
    reads: true,
    body: record({
      event_id,
      after: integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      limit: integer({ minimum: 0 }),
    }),
    reply: record({
      ...{ first: integer(), last: integer() },
      messages: list(record({ seq: integer(), text: message }), 'message'),
    }),
  },
})
