import type { EventData } from '@gatehouse/proto/serving/event-data.ts'
import type { StoredTemplate } from './badge-templates/store.ts'

/** What the service holds of events. */
export const badgesEventData: EventData = {
  collections: [
    { name: 'badges', stays: 'badges: they are made anew after an import' },
    {
      name: 'files',
      archived: { holds: 'what is known of files of guests, such as photos', order: { guest_id: 1, key: 1 } },
    },
    {
      name: 'badge_templates',
      archived: {
        holds: 'badge templates',
        order: { created_at: 1, _id: 1 },
        isUnfinished: ({ deleted }: StoredTemplate) => deleted,
        omits: ['orders_due'],
      },
    },
    { name: 'badge_logos', archived: { holds: 'logos of badge templates', order: { _id: 1 } } },
    { name: 'pass_devices', stays: 'phones that show wallet passes: they are known by secret tokens' },
    { name: 'held_passes', stays: 'which guests have added a wallet pass' },
  ],
}
