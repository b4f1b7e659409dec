import { randomBytes } from 'node:crypto'
import { digestOf } from '@gatehouse/proto/formats/archives/writing.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { sealFor } from '../../services/guests/event-archives/sealing.ts'
import { SECRETS_KEY } from '../harness/secrets-key.ts'

/** An id as services make them. */
const newId = (): string => randomBytes(12).toString('hex')

const encrypter = new Encrypter(SECRETS_KEY)

/** The page of an archive with a new event, as its download would have it. */
export function eventPage(account_id: string): object {
  const time = { $date: new Date().toISOString() }
  const event = {
    ...{
      _id: newId(),
      account_id,
      title: 'Archived',
      description: null,
      locale: 'en',
      organizer: null,
      location: null,
    },
    ...{
      plan: 'pro',
      start_date: null,
      end_date: null,
      timezone: 'UTC',
      day_starts_at: '00:00',
      network_enabled: true,
    },
    ...{ badge_complete_hook_url: null, reply_to_email: null, lead_guest_fields: [], qr_code_ciphering_enabled: false },
    ...{
      device_qr_code_key_enabled: false,
      platform_event_id: null,
      archived_at: null,
      created_at: time,
      updated_at: time,
    },
  }
  return sealed(account_id, event._id, 'guests.events', event)
}

/** A page with a guest field of an event. */
export function fieldPage(account_id: string, event_id: string): object {
  const time = { $date: new Date().toISOString() }
  const _id = newId()
  const field = { _id, event_id, key: `key_${_id}`, label: 'Key', type: 'text', created_at: time, updated_at: time }
  return { event_id, collection: 'guests.guest_fields', ...sealed(account_id, event_id, 'guests.guest_fields', field) }
}

function sealed(account_id: string, event_id: string, collection: string, document: object): object {
  const documents = JSON.stringify(document)
  const seal = sealFor(encrypter, digestOf({ account_id, event_id }, collection, documents))
  return { from_account_id: account_id, documents, seal }
}
