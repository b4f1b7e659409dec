import { changeOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertWithinQuota, QUOTA_INDEX } from '@gatehouse/proto/storage/quota.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { CODE_MINUTES, type Device, type DeviceReport } from './resource.ts'

/** A device as stored. */
export interface StoredDevice extends Omit<Device, 'kind'> {
  /** Absent in devices that are older than this field, which are scanners. */
  kind?: Device['kind']
  account_id: string
  /** SHA-256 of its token, in hex; absent until a code was exchanged. */
  token_hash?: string
  /** SHA-256 of its latest former tokens: who still has one learns that it is revoked. */
  former_hashes?: string[]
  /** Keyed hash of its newest code, until another takes its place. */
  code_hash?: string
  /** The exchange that has used the code. */
  exchange_id?: string
  revoked_at?: Date
  /** Number of a device that counts (proto/storage/quota.ts). */
  place?: number
}

/** A device by its account, and its event where that is known. */
export type DeviceKey = Pick<StoredDevice, '_id' | 'account_id'> & Partial<Pick<StoredDevice, 'event_id'>>

/** What the token of a hash is. */
export interface Holder {
  device: StoredDevice
  /** It was revoked, or another token of the device took its place. */
  isRevoked: boolean
}

const IN_USE = { revoked_at: { $exists: false } } as const
const REMEMBERED_SECONDS = 90 * 86_400
const MAX_FORMER = 10
/** Reports within this time of the last one are not stored. */
const REPORT_EVERY_MS = 5_000

/** The devices collection. */
export class DeviceStore {
  readonly #devices: Collection<StoredDevice>
  /** Most devices of an account. */
  readonly cap: number

  constructor(db: Db, cap: number) {
    this.#devices = db.collection('devices')
    this.cap = cap
  }

  async prepare(): Promise<void> {
    await this.#devices.createIndexes([
      { key: { account_id: 1, event_id: 1, created_at: 1, _id: 1 } },
      { key: { token_hash: 1 }, unique: true, partialFilterExpression: { token_hash: { $exists: true } } },
      { key: { code_hash: 1 }, unique: true, partialFilterExpression: { code_hash: { $exists: true } } },
      { key: { former_hashes: 1 }, partialFilterExpression: { former_hashes: { $exists: true } } },
      {
        key: { revoked_at: 1 },
        expireAfterSeconds: REMEMBERED_SECONDS,
        // Otherwise the store would find by it those that are in use.
        partialFilterExpression: { revoked_at: { $exists: true } },
      },
      QUOTA_INDEX,
    ])
  }

  /** In the order of their creation. */
  async ofEvent(account_id: string, event_id: string): Promise<StoredDevice[]> {
    return this.#devices
      .find({ event_id, account_id, ...IN_USE })
      .sort({ created_at: 1, _id: 1 })
      .toArray()
  }

  async get(key: DeviceKey): Promise<StoredDevice | null> {
    return this.#devices.findOne({ ...key, ...IN_USE })
  }

  /** Stores a new device; if an earlier try stored it, it gets the new code. Null if its account has the maximum. */
  async insert(device: StoredDevice): Promise<StoredDevice | null> {
    const stored = await insertWithinQuota(this.#devices, device, this.cap, IN_USE)
    if (!stored || stored.code_hash === device.code_hash) return stored
    const { _id, account_id, event_id, code_hash = '' } = device
    return this.roll({ _id, account_id, event_id }, code_hash, codeEnd())
  }

  /** The changed device; null if there is none. */
  async update(key: DeviceKey, changes: Partial<StoredDevice>): Promise<StoredDevice | null> {
    return setFields(this.#devices, { ...key, ...IN_USE }, changes)
  }

  /** Replaces a device's code by one that is good until a time. Returns the device, or null if there is none. */
  async roll(key: DeviceKey, code_hash: string, code_expires_at: Date): Promise<StoredDevice | null> {
    return changeOne(
      this.#devices,
      { ...key, ...IN_USE },
      { $set: { code_hash, code_expires_at, updated_at: new Date() }, $unset: { exchange_id: '' } },
    )
  }

  /** The device of a code that has not expired; an exchange may have used it. */
  async findByCode(code_hash: string): Promise<StoredDevice | null> {
    return this.#devices.findOne({ code_hash, code_expires_at: { $gt: new Date() }, ...IN_USE })
  }

  /** Sets the token of a device that still has its code, as it was read. Null if another exchange or another code came first. */
  async enrol(device: StoredDevice, exchange_id: string, token_hash: string): Promise<StoredDevice | null> {
    const { _id, account_id, code_hash, former_hashes = [] } = device
    const former = [...former_hashes, ...(device.token_hash ? [device.token_hash] : [])].slice(-MAX_FORMER)
    const unchanged = { code_hash, exchange_id: device.exchange_id ?? { $exists: false } } as Filter<StoredDevice>
    return changeOne(
      this.#devices,
      { _id, account_id, ...unchanged, ...IN_USE },
      {
        $set: {
          token_hash,
          exchange_id,
          enrolled_at: new Date(),
          ...(former.length > 0 && { former_hashes: former }),
        },
        // It may be another phone now.
        $unset: { self_test: '' },
      },
    )
  }

  /** The devices whose tokens have these hashes, and those whose tokens had. */
  async findByHashes(hashes: string[]): Promise<Map<string, Holder>> {
    const holders = new Map<string, Holder>()
    for (const device of await this.#devices.find({ token_hash: { $in: hashes } }).toArray())
      holders.set(device.token_hash as string, { device, isRevoked: device.revoked_at !== undefined })
    const others = hashes.filter((hash) => !holders.has(hash))
    if (others.length === 0) return holders
    for (const device of await this.#devices.find({ former_hashes: { $in: others } }).toArray())
      for (const hash of device.former_hashes ?? []) holders.getOrInsert(hash, { device, isRevoked: true })
    return holders
  }

  /** Stores what a device says of itself, unless it did so just now; how its test ended in any case, since it says that once. */
  async report({ _id, account_id, last_seen_at }: StoredDevice, report: Partial<DeviceReport>): Promise<void> {
    const now = new Date()
    if (last_seen_at && now.getTime() - last_seen_at.getTime() < REPORT_EVERY_MS && !report.self_test) return
    await this.#devices.updateOne({ _id, account_id }, { $set: { ...report, last_seen_at: now } })
  }

  /** Revokes all devices of an event that is deleted. Only their tokens stay known for a while: whoever has one shall forget what it holds. */
  async revokeOfEvent(account_id: string, event_id: string): Promise<void> {
    const devices = this.#devices.find({ account_id, event_id }, { projection: { token_hash: 1, former_hashes: 1 } })
    for await (const { _id, token_hash, former_hashes } of devices) {
      const hashes = { ...(token_hash && { token_hash }), ...(former_hashes && { former_hashes }) }
      const left = { account_id, event_id: '', name: '', revoked_at: new Date(), ...hashes }
      await this.#devices.replaceOne({ _id, account_id }, left as unknown as StoredDevice)
    }
  }

  /** Revokes a device, which stays known for a while. Null if there is none. */
  async revoke(key: DeviceKey): Promise<StoredDevice | null> {
    return changeOne(
      this.#devices,
      { ...key, ...IN_USE },
      { $set: { revoked_at: new Date() }, $unset: { code_hash: '', exchange_id: '', place: '' } },
    )
  }
}

/** When a code that is made now expires. */
export function codeEnd(minutes = CODE_MINUTES): Date {
  return new Date(Date.now() + minutes * 60_000)
}
