import { identifier, optionalText, text } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { insertEachOnce, insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import type { StoredInvitation } from '../invitations/store.ts'

/** A recipient of an e-mail without an invitation, since its partner is deleted or it brought a guest's QR code: its link unsubscribes. */
export interface FormerRecipient extends Pick<StoredInvitation, 'event_id' | 'address' | 'locale'> {
  /** Of the invitation, or derived from guest and address. */
  _id: string
}

/** Former recipients as personal data. */
export const personalFormerRecipients: PersonalDocuments = {
  name: 'partners.former_recipients',
  collection: 'former_recipients',
  scope: ['event_id'],
  fields: { _id: identifier(), address: text({ personal: 'email' }), locale: optionalText() },
  order: { _id: 1 },
  outcome: 'deleted',
}

/** The former recipients collection. */
export class FormerRecipientStore {
  readonly #recipients: Collection<FormerRecipient>

  constructor(db: Db) {
    this.#recipients = db.collection('former_recipients')
  }

  /** Stores the recipients of invitations whose e-mails may have been handed over, unless they are stored already. */
  async add(invitations: StoredInvitation[]): Promise<void> {
    const sent = invitations.filter(({ outcome }) => outcome === 'sent' || outcome === 'unknown')
    const recipients = sent.map(({ _id, event_id, address, locale }) => ({ _id, event_id, address, locale }))
    if (recipients.length > 0) await insertEachOnce(this.#recipients, recipients)
  }

  /** Stores a recipient, unless it is stored already. */
  async addOne(recipient: FormerRecipient): Promise<void> {
    await insertOnce(this.#recipients, recipient)
  }

  async prepare(): Promise<void> {
    await this.#recipients.createIndex({ event_id: 1, _id: 1 })
  }

  async get(_id: string): Promise<FormerRecipient | null> {
    return this.#recipients.findOne({ _id })
  }
}
