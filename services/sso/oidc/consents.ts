import { datetime, identifier, list, text } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import type { Collection, Db } from 'mongodb'

/** The scopes that a contact allowed an app. They outlive sessions, so a contact is asked once. */
interface Consent {
  /** `account:contact:client`. */
  _id: string
  account_id: string
  contact_id: string
  client_id: string
  scopes: string[]
  updated_at: Date
}

/** Consents as personal data. */
export const personalConsents: PersonalDocuments = {
  name: 'sso.consents',
  collection: 'oidc_consents',
  scope: ['account_id'],
  fields: {
    contact_id: identifier({ personal: 'contact_id' }),
    client_id: text(),
    scopes: list(text(), 'scope'),
    updated_at: datetime(),
  },
  order: { contact_id: 1, _id: 1 },
  outcome: 'deleted',
}

/** The consents collection. */
export class ConsentStore {
  readonly #consents: Collection<Consent>

  constructor(db: Db) {
    this.#consents = db.collection('oidc_consents')
  }

  async prepare(): Promise<void> {
    await this.#consents.createIndexes([
      { key: { account_id: 1, contact_id: 1 } },
      { key: { account_id: 1, client_id: 1 } },
    ])
  }

  /** The scopes that a contact allowed an app. */
  async of(account_id: string, contact_id: string, client_id: string): Promise<string[]> {
    const consent = await this.#consents.findOne({ _id: idOf(account_id, contact_id, client_id), account_id })
    return consent?.scopes ?? []
  }

  /** Adds scopes to those that a contact allowed an app. */
  async add(account_id: string, contact_id: string, client_id: string, scopes: string[]): Promise<void> {
    await upserted(() =>
      this.#consents.updateOne(
        { _id: idOf(account_id, contact_id, client_id), account_id },
        {
          $addToSet: { scopes: { $each: scopes } },
          $set: { updated_at: new Date() },
          $setOnInsert: { contact_id, client_id },
        },
        { upsert: true },
      ),
    )
  }

  async deleteOfContact(account_id: string, contact_id: string): Promise<void> {
    await this.#consents.deleteMany({ account_id, contact_id })
  }

  async deleteOfClient(account_id: string, client_id: string): Promise<void> {
    await this.#consents.deleteMany({ account_id, client_id })
  }
}

function idOf(...parts: string[]): string {
  return parts.join(':')
}
