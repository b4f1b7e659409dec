import { datetime, identifier } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import { type Collection, type Db, ObjectId } from 'mongodb'
import { SESSION_PREFIX } from './resource.ts'

/** A session of a staff member in one browser, as stored. */
export interface ConsoleSession {
  _id: string
  account_id: string
  staff_member_id: string
  contact_id: string
  /** Of the contact at the sign-in: another password or a block ends the session. */
  version: number
  /** SHA-256 of the session's id, in hex. */
  hash: string
  /** The browser's session of single sign-on, which a sign-out ends as well. Absent after a link. */
  sso_session_uid?: string
  /** When the person gave a password, a code or a passkey: the session may have begun later, by single sign-on. */
  signed_in_at: Date
  created_at: Date
  last_used_at: Date
  expires_at: Date
}

/** Sessions of the console as personal data. */
export const personalConsoleSessions: PersonalDocuments = {
  name: 'sso.console_sessions',
  collection: 'console_sessions',
  scope: ['account_id'],
  fields: {
    staff_member_id: identifier(),
    contact_id: identifier({ personal: 'contact_id' }),
    signed_in_at: datetime(),
    last_used_at: datetime(),
    expires_at: datetime(),
  },
  order: { staff_member_id: 1, _id: 1 },
  outcome: 'deleted',
}

/** How long sessions last. */
export interface SessionLimits {
  idle_minutes: number
  hours: number
}

/** Uses within this time of the last one are not stored. */
const USE_EVERY_MS = 60_000

/** The sessions of the console. Only the SHA-256 of their ids is stored. */
export class ConsoleSessionStore {
  readonly #sessions: Collection<ConsoleSession>
  readonly #limits: SessionLimits

  constructor(db: Db, limits: SessionLimits) {
    this.#sessions = db.collection('console_sessions')
    this.#limits = limits
  }

  async prepare(): Promise<void> {
    await this.#sessions.createIndexes([
      { key: { hash: 1 }, unique: true },
      { key: { account_id: 1, staff_member_id: 1 } },
      { key: { expires_at: 1 }, expireAfterSeconds: 0 },
    ])
  }

  /** Begins a session of 256 random bits. Only the answer holds its id. */
  async begin(
    session: Omit<ConsoleSession, '_id' | 'hash' | 'created_at' | 'last_used_at' | 'expires_at'>,
  ): Promise<string> {
    const id = newToken(SESSION_PREFIX)
    const now = new Date()
    await this.#sessions.insertOne({
      _id: new ObjectId().toHexString(),
      ...session,
      hash: hashOfToken(id),
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + this.#limits.hours * 3_600_000),
    })
    return id
  }

  /** The sessions with these hashes that have not ended. */
  async find(hashes: string[]): Promise<ConsoleSession[]> {
    const now = Date.now()
    const found = await this.#sessions.find({ hash: { $in: hashes } }).toArray()
    return found.filter((each) => this.endOf(each) > now)
  }

  /** The same; they count as used now. */
  async use(hashes: string[]): Promise<ConsoleSession[]> {
    const found = await this.find(hashes)
    const now = Date.now()
    const unused = found.filter(({ last_used_at }) => now - last_used_at.getTime() > USE_EVERY_MS)
    if (unused.length > 0) {
      const ids = unused.map(({ _id }) => _id)
      await this.#sessions.updateMany({ _id: { $in: ids } }, { $max: { last_used_at: new Date(now) } })
    }
    return found.map((each) => ({ ...each, last_used_at: new Date(now) }))
  }

  /** How old a sign-in may be which begins a session, in seconds: an older one would take the place of a session that has ended idle. */
  get signInSeconds(): number {
    return Math.floor(this.#limits.idle_minutes * 60)
  }

  /** When a session ends if it is not used any more, in ms since 1970. */
  endOf({ last_used_at, expires_at }: ConsoleSession): number {
    return Math.min(expires_at.getTime(), last_used_at.getTime() + this.#limits.idle_minutes * 60_000)
  }

  /** Whether there is a session with this id. */
  async has(id: string): Promise<boolean> {
    return (await this.#sessions.findOne({ hash: hashOfToken(id) }, { projection: { _id: 1 } })) !== null
  }

  /** Ends a session. Null if it had ended. */
  async end(id: string): Promise<ConsoleSession | null> {
    return deleteOne(this.#sessions, { hash: hashOfToken(id) })
  }

  async deleteOfMember(account_id: string, staff_member_id: string): Promise<void> {
    await this.#sessions.deleteMany({ account_id, staff_member_id })
  }
}
