import { MongoClient, ObjectId } from 'mongodb'
import { inject } from 'vitest'
import type { TestAccount } from '../harness/system.ts'
import type { World } from './world.ts'

type Stored = Record<string, unknown> & { _id: string }

interface Place {
  collection: string
  /** A list in one document of the account. */
  within?: string
  /** A field that documents of the resource have, and others of the collection have not. */
  having?: string
  /** What the world knows an address by, which is that of the documents. */
  address?: string
}

/** Where documents of a resource are, if it is not a collection of the same name. */
const PLACES: Record<string, Place> = {
  connections: { collection: 'leads' },
  event_imports: { collection: 'events', having: 'importing' },
  guest_mails: { collection: 'invitations', address: 'guest_email' },
  invitations: { collection: 'contacts' },
  partner_invitations: { collection: 'invitations' },
  invitation_decisions: { collection: 'invitations' },
  registrations: { collection: 'invitations', having: 'registration_state' },
  staff_members: { collection: 'staff', within: 'members' },
  tokens: { collection: 'api_tokens' },
}

/** What an earlier version may have stored in a field: nothing, null, something of another kind. */
const SHAPES: ((document: Stored, field: string) => void)[] = [
  (document, field) => delete document[field],
  (document, field) => {
    document[field] = null
  },
  (document, field) => {
    document[field] = typeof document[field] === 'number' ? {} : 7
  },
]

/** Fields by which documents are found: one without them is in no list. */
const FOUND_BY = ['_id', 'account_id', 'event_id', 'invitation_type_id', 'settled', 'deleted', 'addresses']

/**
 * Stores copies of one document of a resource, as a list with these parameters of its path has it, each with another field as an earlier version may have stored it. Gives their ids by what is
 * different.
 */
export async function storeEarlierOnes(
  world: World,
  { account_id, event_id, ...path }: { account_id: string; event_id: string } & Record<string, string>,
  { service, many }: { service: string; many: string },
): Promise<Map<string, string>> {
  const { namespace } = world.system
  await using client = await new MongoClient(inject('mongodbUrl')).connect()
  const { collection: name, within, having, address } = PLACES[many] ?? { collection: many }
  const collection = client.db(`${namespace}_${service}`).collection<Stored>(name)
  const owned = { $or: [{ account_id }, { event_id }, { _id: account_id }] }
  const ofKind = having ? [{ [having]: { $exists: true } }] : []
  const ofAddress = address
    ? [{ address: (await world.refer(address, { account_id } as TestAccount)).toLowerCase() }]
    : []
  const find = (ofPath: object[]) => collection.findOne({ $and: [owned, ...ofPath, ...ofKind, ...ofAddress] } as object)
  const fields = Object.entries(path)
  const places = fields.map(([field, value]) => ({ [field]: { $in: [value, null] } }))
  const [own] = fields.slice(-1).map(([field, value]) => ({ [field]: value }))
  // One of the path, before one that does not say where it is: a registration is no invitation of a campaign. Documents need not have all of the path.
  const holder = (await find(own ? [...places, own] : places)) ?? (await find(places))
  const document = within ? (holder?.[within] as Stored[] | undefined)?.[0] : holder
  if (!document) throw new Error(`${service} has nothing of ${many} in ${name}: see PLACES of ${import.meta.filename}`)
  const unique = (await collection.indexes()).flatMap((index) => (index.unique ? [Object.keys(index.key)] : []))
  const foundBy = address ? [...FOUND_BY, 'address'] : FOUND_BY
  const stored = new Map<string, string>()
  for (const field of Object.keys(document).filter((each) => ![...foundBy, having].includes(each))) {
    for (const [shape, change] of SHAPES.entries()) {
      const label = `${field} ${['absent', 'null', 'of another kind'][shape]}`
      const copy: Stored = { ...document, _id: new ObjectId().toHexString() }
      for (const keys of unique) {
        for (const key of keys.filter((each) => Array.isArray(copy[each]))) copy[key] = [copy._id]
        const own = keys.findLast((key) => typeof copy[key] === 'string' && !foundBy.includes(key))
        if (own) copy[own] = `${copy[own]}-${label}`
      }
      change(copy, field)
      if (within) await collection.updateOne({ _id: account_id }, { $push: { [within]: copy } as never })
      // A unique index may refuse a second document without a field.
      else if ((await collection.insertOne(copy).catch(() => undefined)) === undefined) continue
      stored.set(label, copy._id)
    }
  }
  return stored
}
