import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import { ObjectId } from 'mongodb'
import type { Dependencies } from '../../dependencies.ts'
import { eventTerms } from '../../event-terms.ts'
import { noneYet } from '../partners/resource.ts'
import { NAMES, type StoredPartner } from '../partners/store.ts'
import { nothingYet, type StoredCampaign, sortName } from './store.ts'

/** Names that are tried for the partner that stands for the organizer: other partners may have the first ones. */
const NAMES_TRIED = 20
/** Deletions of it that may be in the way. */
const TRIES = 5
const NO_LIMIT = -1

/**
 * Returns the campaign in which the organizer invites without a partner, and makes it if need be. Its partner has the organizer's name, and is
 * one like any other. Throws `conflict` while that partner is being deleted.
 */
export async function ownCampaign(
  dependencies: Dependencies,
  event_id: string,
  invitation_type_id: string,
): Promise<StoredCampaign> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const partner = await ownPartner(dependencies, event_id)
    const holder = await dependencies.campaigns.insert({
      ...{ _id: new ObjectId().toHexString(), event_id, invitation_type_id, partner_id: partner._id },
      ...{ quota: NO_LIMIT, ...nothingYet, reply_to: null, ...newTimes() },
      ...{ sort_name: sortName(partner.name), name_version: partner.name_version, settled: true, gone: false },
    })
    if (holder?.settled) return holder
  }
  throw conflict(messageOf('too_many_changes', { thing: 'partner campaign' }))
}

/** The partner that stands for the organizer. */
async function ownPartner(dependencies: Dependencies, event_id: string): Promise<StoredPartner> {
  const { partners } = dependencies
  const _id = derivedId('organizer', event_id)
  const known = await partners.get(event_id, _id)
  if (known) return known
  const { organizer, title } = await eventTerms(dependencies, event_id)
  const name = (organizer || title).trim()
  const fields = { uid: null, recipients_quota: NO_LIMIT, disable_emails: false, email: null, locale: null }
  const terms = { ...fields, ...noneYet, event_id }
  for (let number = 1; number <= NAMES_TRIED; number++) {
    try {
      const made = { _id, name: number === 1 ? name : `${name} (${number})`, ...terms, ...newTimes() }
      const partner = await partners.insert(made)
      if (!partner.deleted) return partner
      break
    } catch (error) {
      if (!isDuplicate(error, NAMES)) throw error
    }
  }
  throw conflict(messageOf('too_many_changes', { thing: 'partner' }))
}
