import { freeValue, list, maybe, optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { askedFor } from '../erasures/resource.ts'

/** The personal data that all services hold in an event, to be taken out. */
export const personalDocuments = resource('guests.personal_documents', 'personal_document', {
  export: {
    route: 'GET events/:event_id/personal_documents',
    summary:
      'Export the personal data of one person in an event, or of everybody: one kind of data in each answer. Ask again with `after`, until `next` is null',
    query: record({
      ...askedFor,
      by: { ...askedFor.by, default: 'everybody' },
      after: maybe(text({ maxLength: 2_000, example: 'leads:', description: 'The `next` of the answer before' })),
    }),
    reply: record({
      data: text({
        example: 'leads.connections',
        description: 'What the items are, by the name of their resource: `leads.connections`',
      }),
      items: list(freeValue({ example: { guest_uid: 'ada1815', comments: ['Wants a brochure'] } }), 'item', {
        description: 'As they are stored',
      }),
      next: optionalText({
        maxLength: 2_000,
        example: 'partners:',
        description: 'null: that was all. Otherwise there may be more',
      }),
    }),
    exports: ['json', 'xml'],
    longestMs: 30_000,
  },
})
