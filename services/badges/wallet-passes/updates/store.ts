import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { datetime, identifier, text } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { expireAfterDays, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import type { Collection, Db, Filter } from 'mongodb'
import type { Owner } from '../../owners.ts'

/** A device that wants to hear of changes of a guest's pass. */
export interface PassDevice extends Owner {
  _id: string
  device_id: string
  push_token: string
  created_at: Date
  /** When the guest went; some days later the document expires. */
  voided_at?: Date
}

/** A pass that devices have, and what it said when it was last looked at. */
export interface HeldPass extends Owner {
  _id: string
  uid: string
  version: string
  updated_at: Date
  /** Its link to Google Wallet was opened. */
  google?: true
  /** When its devices are to be told of a change. */
  push_due?: Date
  /** Attempts to tell them. */
  attempts?: number
  voided_at?: Date
}

/** The version of a pass whose guest is gone. */
export const VOID = 'void'

/** Devices that may hold one pass: a guest has a few. */
const MAX_DEVICES = 20
/** Days for which the devices of a guest who is gone may still fetch the void pass. */
const VOIDED_DAYS = 7
/** A push whose process died is tried again after this time. */
const LEASE_MS = 60_000

const personal = { order: { guest_id: 1, _id: 1 }, outcome: 'deleted' } as const

/** Devices with passes as personal data. */
export const personalPassDevices: PersonalDocuments = {
  ...personal,
  name: 'badges.pass_devices',
  collection: 'pass_devices',
  scope: ['event_id'],
  fields: {
    _id: identifier(),
    guest_id: identifier({ personal: 'guest_id' }),
    device_id: text({ maxLength: 128 }),
    created_at: datetime(),
  },
}

/** Passes on devices as personal data. */
export const personalHeldPasses: PersonalDocuments = {
  ...personal,
  name: 'badges.held_passes',
  collection: 'held_passes',
  scope: ['event_id'],
  fields: {
    _id: identifier(),
    guest_id: identifier({ personal: 'guest_id' }),
    uid: text({ personal: 'guest_uid' }),
    updated_at: datetime(),
  },
}

/** The passes on devices, and the devices. */
export class HeldPassStore {
  readonly #db: Db
  readonly #devices: Collection<PassDevice>
  readonly #passes: Collection<HeldPass>

  constructor(db: Db) {
    this.#db = db
    this.#devices = db.collection('pass_devices')
    this.#passes = db.collection('held_passes')
  }

  async prepare(): Promise<void> {
    await this.#devices.createIndex({ event_id: 1, guest_id: 1, _id: 1 })
    await this.#devices.createIndex({ event_id: 1, device_id: 1 })
    await this.#passes.createIndex({ event_id: 1, guest_id: 1, _id: 1 })
    await this.#passes.createIndex({ event_id: 1, uid: 1 })
    await this.#passes.createIndex({ push_due: 1 }, { partialFilterExpression: { push_due: { $exists: true } } })
    await expireAfterDays(this.#db, 'pass_devices', 'voided_at', VOIDED_DAYS)
    await expireAfterDays(this.#db, 'held_passes', 'voided_at', VOIDED_DAYS)
  }

  /** Registers a device; `full` if a pass has too many already. */
  async register(owner: Owner, device_id: string, push_token: string): Promise<'new' | 'known' | 'full'> {
    const _id = derivedId('pass device', owner.event_id, owner.guest_id, device_id)
    const of = { event_id: owner.event_id, guest_id: owner.guest_id }
    const isKnown = (await this.#devices.updateOne({ _id }, { $set: { push_token } })).matchedCount > 0
    if (isKnown) return 'known'
    if ((await this.#devices.countDocuments(of, { limit: MAX_DEVICES })) >= MAX_DEVICES) return 'full'
    const created = { ...of, device_id, created_at: new Date() }
    const change = { $set: { push_token }, $setOnInsert: created }
    await upserted(() => untilDecided(() => this.#devices.updateOne({ _id }, change, { upsert: true })))
    return 'new'
  }

  /** Forgets a device, and the pass with its last device. */
  async unregister({ event_id, guest_id }: Owner, device_id: string): Promise<void> {
    await this.#devices.deleteOne({ event_id, guest_id, device_id })
    if ((await this.#devices.countDocuments({ event_id, guest_id }, { limit: 1 })) === 0)
      await this.#passes.deleteOne({ event_id, guest_id, google: { $exists: false } })
  }

  /** Forgets devices that Apple no longer knows. */
  async forget(ids: string[]): Promise<void> {
    if (ids.length > 0) await this.#devices.deleteMany({ _id: { $in: ids } })
  }

  async devicesOf({ event_id, guest_id }: Owner): Promise<PassDevice[]> {
    return this.#devices.find({ event_id, guest_id }).limit(MAX_DEVICES).toArray()
  }

  /** The passes of a device that changed after a time. */
  async changedOn(event_id: string, device_id: string, since: Date): Promise<HeldPass[]> {
    const devices = await this.#devices.find({ event_id, device_id }).project<Owner>({ guest_id: 1 }).toArray()
    const guest_id = { $in: devices.map((each) => each.guest_id) }
    return this.#passes.find({ event_id, guest_id, updated_at: { $gt: since } }).toArray()
  }

  /** Notes that a device has a pass of this version, or that it may be in Google Wallet. */
  async hold(owner: Owner, uid: string, version: string, wallet: 'apple' | 'google'): Promise<void> {
    const { event_id, guest_id } = owner
    const _id = derivedId('held pass', event_id, guest_id)
    const $setOnInsert = { event_id, guest_id, uid, version, updated_at: new Date() }
    const change = { $setOnInsert, ...(wallet === 'google' && { $set: { google: true as const } }) }
    await upserted(() => untilDecided(() => this.#passes.updateOne({ _id }, change, { upsert: true })))
  }

  async get({ event_id, guest_id }: Owner): Promise<HeldPass | null> {
    return this.#passes.findOne({ event_id, guest_id })
  }

  async ofUids(event_id: string, uids: string[]): Promise<HeldPass[]> {
    return this.#passes.find({ event_id, uid: { $in: uids } }).toArray()
  }

  /** The next passes after one, by event and guest; void ones are left out. */
  async after(last: Owner | undefined, limit: number): Promise<HeldPass[]> {
    const find = (filter: Filter<HeldPass>, most: number): Promise<HeldPass[]> =>
      this.#passes
        .find({ ...filter, voided_at: { $exists: false } })
        .sort({ event_id: 1, guest_id: 1 })
        .limit(most)
        .toArray()
    if (!last) return find({}, limit)
    // Two queries that the index answers: with $or the planner would read all passes for each page.
    const sameEvent = await find({ event_id: last.event_id, guest_id: { $gt: last.guest_id } }, limit)
    if (sameEvent.length === limit) return sameEvent
    return [...sameEvent, ...(await find({ event_id: { $gt: last.event_id } }, limit - sameEvent.length))]
  }

  /**
   * Stores that a pass says something else; its devices are to be told. Returns whether it was this call that stored it, so that of several
   * processes that see a change one pushes.
   */
  async changed(pass: HeldPass, version: string, uid: string): Promise<boolean> {
    const now = new Date()
    // The time goes out in whole seconds, and each version needs its own.
    const next = Math.floor(pass.updated_at.getTime() / 1_000) * 1_000 + 1_000
    const updated_at = new Date(Math.max(now.getTime(), next))
    const voided = version === VOID && { voided_at: now }
    const $set = { version, uid, updated_at, push_due: now, ...voided }
    const { modifiedCount } = await this.#passes.updateOne(
      { _id: pass._id, version: pass.version },
      { $set, $unset: { attempts: '' } },
    )
    const { event_id, guest_id } = pass
    if (voided) await this.#devices.updateMany({ event_id, guest_id }, { $set: voided })
    return modifiedCount > 0
  }

  /** Takes the next pass whose devices are to be told, for a while; no other process gets it meanwhile. */
  async takeDue(): Promise<HeldPass | null> {
    const now = Date.now()
    return this.#passes.findOneAndUpdate(
      { push_due: { $lte: new Date(now) } },
      { $set: { push_due: new Date(now + LEASE_MS) }, $inc: { attempts: 1 } },
      { sort: { push_due: 1 }, returnDocument: 'after' },
    )
  }

  /** Its devices are told, unless it has changed again meanwhile. */
  async told({ _id, version }: HeldPass): Promise<void> {
    await this.#passes.updateOne({ _id, version }, { $unset: { push_due: '', attempts: '' } })
  }

  /** Its devices are told later. */
  async postpone({ _id, version }: HeldPass, ms: number): Promise<void> {
    await this.#passes.updateOne({ _id, version }, { $set: { push_due: new Date(Date.now() + ms) } })
  }
}
