import type { StoredList } from '@gatehouse/proto/formats/raw-documents.ts'
import { type PageQuery, storedPage } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db } from 'mongodb'
import type { RegistrationState, StoredInvitation } from '../../delivery/invitations/store.ts'

const LIST = 'registrations_event_id_1_created_at_-1__id_-1'
const BY_STATE = 'registrations_event_id_1_registration_state_1_created_at_-1__id_-1'

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const

/** The registrations in the invitations collection: invitations that were accepted, about which the organizer decides or has decided. */
export class RegistrationStore {
  readonly #invitations: Collection<StoredInvitation>

  constructor(db: Db) {
    this.#invitations = db.collection('invitations')
  }

  async prepare(): Promise<void> {
    const partialFilterExpression = { registration_state: { $exists: true } }
    await this.#invitations.createIndexes([
      { key: { event_id: 1, created_at: -1, _id: -1 }, name: LIST, partialFilterExpression },
      {
        key: { event_id: 1, registration_state: 1, created_at: -1, _id: -1 },
        name: BY_STATE,
        partialFilterExpression,
      },
    ])
  }

  /** A page of an event, of one state or all. */
  async page(
    event_id: string,
    { registration_state, ...page }: PageQuery & { registration_state?: RegistrationState },
  ): Promise<StoredList<StoredInvitation>> {
    const filter = { event_id, registration_state: registration_state ?? { $exists: true } }
    const index = registration_state ? BY_STATE : LIST
    return storedPage(this.#invitations, filter, NEWEST_FIRST, page, { index })
  }

  /** A registration of an event by its `_id`. */
  async get(event_id: string, _id: string): Promise<StoredInvitation | null> {
    return this.#invitations.findOne({ _id, event_id, registration_state: { $exists: true } }, { hint: '_id_' })
  }
}
