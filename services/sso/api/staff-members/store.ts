import type { Role } from '@gatehouse/proto/declaring/resource.ts'
import { untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import type { Collection, Db } from 'mongodb'

/** A link as stored: the SHA-256 of its token. */
export interface StaffLink {
  hash: string
  expires_at: Date
}

/** A staff member as stored. Name and e-mail address are those of the contact. */
export interface StoredMember {
  _id: string
  contact_id: string
  role: Role
  event_id: string | null
  last_signed_in_at: Date | null
  /** Whether the contact is blocked, noted here so that of owners who are blocked, deleted and demoted at once one stays. */
  is_blocked?: boolean
  link?: StaffLink
  created_at: Date
  updated_at: Date
}

/**
 * Whether a member has followed a link, which sets the password, and so has signed in. Before that the role does not count: the contact may be
 * one whom someone else has made, and whose password that one knows.
 */
export function hasJoined({ last_signed_in_at }: StoredMember): boolean {
  return last_signed_in_at !== null
}

/** Whether an account can be run by this member: an owner who has joined and is not blocked. */
export function isOwner(member: StoredMember): boolean {
  return member.role === 'owner' && hasJoined(member) && !member.is_blocked
}

/** The staff of an account. */
export interface Staff {
  /** The account's id. */
  _id: string
  members: StoredMember[]
  /** For the first owner, while no owner has joined. */
  first_link?: StaffLink
  /** Incremented by each change. */
  revision: number
}

/** The staff and the member whom a change made of them; null if there is no such member. */
export type StaffChange = { members: StoredMember[]; member: StoredMember } | null

/** The member of a link, or none if it is for the first owner. */
export interface Linked {
  account_id: string
  member: StoredMember | null
}

/**
 * The staff collection. All members of an account are one document, which changes from one revision to the next: so rules about all of them, that
 * one owner stays and nobody is a member twice, hold whatever comes at once.
 */
export class StaffStore {
  readonly #staff: Collection<Staff>
  /** Most members of an account. */
  readonly cap: number

  constructor(db: Db, cap: number) {
    this.#staff = db.collection('staff')
    this.cap = cap
  }

  async prepare(): Promise<void> {
    await this.#staff.createIndexes([
      { key: { 'members.link.hash': 1 }, partialFilterExpression: { 'members.link.hash': { $exists: true } } },
      { key: { 'first_link.hash': 1 }, partialFilterExpression: { 'first_link.hash': { $exists: true } } },
    ])
  }

  /** In the order of their creation. */
  async ofAccount(account_id: string): Promise<StoredMember[]> {
    return (await this.#staff.findOne({ _id: account_id }))?.members ?? []
  }

  /** The staff of accounts, by account. */
  async ofAccounts(account_ids: string[]): Promise<Map<string, StoredMember[]>> {
    const found = await this.#staff.find({ _id: { $in: account_ids } }).toArray()
    return new Map(found.map(({ _id, members }) => [_id, members]))
  }

  async get(account_id: string, _id: string): Promise<StoredMember | null> {
    return (await this.ofAccount(account_id)).find((member) => member._id === _id) ?? null
  }

  /** The member who is this contact. */
  async ofContact(account_id: string, contact_id: string): Promise<StoredMember | null> {
    return (await this.ofAccount(account_id)).find((member) => member.contact_id === contact_id) ?? null
  }

  /** Whether an owner has joined any account. */
  async isAnybodyOwner(): Promise<boolean> {
    const owners = { members: { $elemMatch: { role: 'owner', last_signed_in_at: { $ne: null } } } } as const
    return (await this.#staff.findOne(owners, { projection: { _id: 1 } })) !== null
  }

  /** Changes the members of an account, as often as another change comes between. Returns the changed member, or null as `change` did. */
  async change(account_id: string, change: (members: StoredMember[]) => StaffChange): Promise<StoredMember | null> {
    const { member } = await untilUnchanged('staff', async () => {
      const { members = [], revision = 0 } = (await this.#staff.findOne({ _id: account_id })) ?? {}
      const changed = change(members)
      if (!changed) return { member: null }
      return (await this.#replace(account_id, revision, changed.members)) ? { member: changed.member } : undefined
    })
    return member
  }

  /** Replaces the members if their revision is still this one. */
  async #replace(account_id: string, revision: number, members: StoredMember[]): Promise<boolean> {
    if (revision === 0) await this.#ensure(account_id)
    const { modifiedCount } = await this.#staff.updateOne(
      { _id: account_id, revision },
      { $set: { members }, $inc: { revision: 1 } },
    )
    return modifiedCount === 1
  }

  async #ensure(account_id: string): Promise<void> {
    await upserted(() =>
      this.#staff.updateOne({ _id: account_id }, { $setOnInsert: { members: [], revision: 0 } }, { upsert: true }),
    )
  }

  /** Stores a link for the first owner of an account. False if an owner has joined. */
  async putFirstLink(account_id: string, first_link: StaffLink): Promise<boolean> {
    await this.#ensure(account_id)
    const { isPut } = await untilUnchanged('staff', async () => {
      const { members = [], revision = 0 } = (await this.#staff.findOne({ _id: account_id })) ?? {}
      if (members.some(isOwner)) return { isPut: false }
      const { matchedCount } = await this.#staff.updateOne(
        { _id: account_id, revision },
        { $set: { first_link }, $inc: { revision: 1 } },
      )
      return matchedCount === 1 ? { isPut: true } : undefined
    })
    return isPut
  }

  /** What a link that has not expired is for. */
  async linked(hash: string): Promise<Linked | null> {
    const [ofMember, ofFirst] = await Promise.all([
      this.#staff.findOne({ 'members.link.hash': hash }),
      this.#staff.findOne({ 'first_link.hash': hash }),
    ])
    const now = new Date()
    const member = ofMember?.members.find(({ link }) => link?.hash === hash && link.expires_at > now)
    if (ofMember && member) return { account_id: ofMember._id, member }
    const isFirst = ofFirst?.first_link && ofFirst.first_link.expires_at > now && !ofFirst.members.some(isOwner)
    return ofFirst && isFirst ? { account_id: ofFirst._id, member: null } : null
  }

  /** Uses up the link of the first owner. False if another request did so, or it expired. */
  async takeFirstLink(account_id: string, hash: string): Promise<boolean> {
    const { modifiedCount } = await this.#staff.updateOne(
      { _id: account_id, 'first_link.hash': hash, 'first_link.expires_at': { $gt: new Date() } },
      { $unset: { first_link: '' }, $inc: { revision: 1 } },
    )
    return modifiedCount === 1
  }

  /** Uses up the link of a member. Null if another request did so, or it expired. */
  async takeLink(account_id: string, hash: string): Promise<StoredMember | null> {
    return this.change(account_id, (members) => {
      const holder = members.find(({ link }) => link?.hash === hash && link.expires_at > new Date())
      if (!holder) return null
      const { link: _, ...member } = holder
      return { members: members.map((each) => (each === holder ? member : each)), member }
    })
  }

  /** Notes that a member has signed in. */
  async noteSignIn(account_id: string, _id: string): Promise<void> {
    await this.#staff.updateOne(
      { _id: account_id, 'members._id': _id },
      { $set: { 'members.$.last_signed_in_at': new Date() }, $inc: { revision: 1 } },
    )
  }
}
