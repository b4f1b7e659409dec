import { record, SUBJECT_WORD, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** Watched events: their domain events go to the stream that gateways read for live feeds. */
export const live = resource('hooks.live', 'watch', {
  watch: {
    summary: 'Have what happens in an event shown for another day',
    reads: true,
    body: record({ event_id: text({ pattern: SUBJECT_WORD.source }) }),
    reply: record({}),
  },
})
