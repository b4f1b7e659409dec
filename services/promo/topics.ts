import { datetime, identifier, maybe, record } from '@gatehouse/proto/declaring/fields.ts'
import { topic } from '@gatehouse/proto/declaring/topic.ts'

/** A code of an event came or went. */
export const changed = topic(
  'promo_codes',
  record({
    event_id: identifier(),
    created_at: maybe(datetime({ description: "The code's creation; absent if it is not known" })),
  }),
)
