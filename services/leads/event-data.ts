import { randomBytes } from 'node:crypto'
import type { EventData } from '@gatehouse/proto/serving/event-data.ts'
import type { StoredExhibitor } from './exhibitors/store.ts'

/** What the service holds of events. An exhibitor of an archive has a token that nobody knows, until it is given another one. */
export const leadsEventData: EventData = {
  collections: [
    {
      name: 'leads',
      archived: {
        holds: 'leads: which guests an exhibitor has met, with notes and ratings',
        order: { exhibitor_id: 1, created_at: -1, _id: -1 },
      },
    },
    {
      name: 'exhibitors',
      archived: {
        holds: 'exhibitors',
        order: { created_at: 1, _id: 1 },
        isUnfinished: ({ deleted }: StoredExhibitor) => deleted,
        omits: ['token_hash', 'phones'],
        completes: () => ({ token_hash: randomBytes(32).toString('hex') }),
      },
      stays: "exhibitors' access tokens and their phones: they are secret. Give each exhibitor a new token",
    },
  ],
}
