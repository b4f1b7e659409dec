import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Binary, type Document, deserialize } from 'bson'
import { CODES } from './codes.ts'
import { CommandError } from './engine.ts'
import { type Command, MAX_MESSAGE_BYTES } from './messages.ts'

/*
 * SCRAM-SHA-256 (RFC 5802, RFC 7677) as in MongoDB's drivers: client and server prove to each other that they know the password, without revealing
 * it to eavesdroppers.
 */

/** A user as it is given. */
export interface User {
  user: string
  password: string
  /** The only database that it may use; `*` at its beginning stands for anything. Default: all databases. */
  database?: string
}

/** A user with its stored keys, with which a client could not sign in. */
interface Account {
  user: string
  database: string | undefined
  salt: Buffer
  storedKey: Buffer
  serverKey: Buffer
}

/** The only mechanism. */
export const MECHANISM = 'SCRAM-SHA-256'

/** The minimum that drivers accept. It protects short passwords; ours are random, and each process derives its key once. */
const ITERATIONS = 4_096
const SALT_BYTES = 28
/** Unauthenticated messages are short. */
const MAX_STRANGER_MESSAGE_BYTES = 16 * 1024
/** Commands for unauthenticated clients. Monitors of drivers never sign in. */
const OPEN = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'saslStart', 'saslContinue'])

/** What a user with a database of its own may do in any: sign in, and learn what server this is. */
const ANYWHERE = new Set([...OPEN, 'endSessions', 'connectionStatus', 'buildInfo', 'buildinfo', 'whatsmyuri'])
/** What it may do in its own: the commands of MongoDB's role `readWrite`, and `collMod`. */
const IN_OWN_DATABASE = new Set([
  ...['find', 'getMore', 'killCursors', 'aggregate', 'count', 'distinct', 'explain'],
  ...['insert', 'update', 'delete', 'findAndModify', 'findandmodify'],
  ...['create', 'drop', 'collMod', 'createIndexes', 'dropIndexes', 'listCollections', 'listIndexes'],
  ...['collStats', 'dbStats'],
])
/** Stages of a pipeline that write, possibly into another database. */
const WRITING_STAGES = ['$out', '$merge']

/** The users who may sign in. */
export class Accounts {
  readonly #accounts: Map<string, Account>
  readonly #secret = randomBytes(32)

  private constructor(accounts: Account[]) {
    this.#accounts = new Map(accounts.map((account) => [account.user, account]))
  }

  /** Derives the keys of users' passwords. */
  static async of(users: readonly User[]): Promise<Accounts> {
    return new Accounts(await Promise.all(users.map(accountOf)))
  }

  /** The account of a user. An unknown name gets one without a password, so that strangers do not learn which names there are. */
  get(user: string): Account {
    const unknown = () => {
      const salt = hmac(this.#secret, user).subarray(0, SALT_BYTES)
      return { user, database: undefined, salt, storedKey: randomBytes(32), serverKey: randomBytes(32) }
    }
    return this.#accounts.get(user) ?? unknown()
  }
}

async function accountOf({ user, password, database }: User): Promise<Account> {
  const salt = randomBytes(SALT_BYTES)
  const salted = await promisify(pbkdf2)(password, salt, ITERATIONS, 32, 'sha256')
  return { user, database, salt, storedKey: hash(hmac(salted, 'Client Key')), serverKey: hmac(salted, 'Server Key') }
}

/** The state of a conversation before the client's proof. */
interface Conversation {
  account: Account
  nonce: string
  /** The messages so far, which the proof signs. */
  said: string
  /** The client skips the empty exchange after its proof. */
  isShort: boolean
}

/** The authentication of a connection. */
export class Authentication {
  readonly #accounts: Accounts
  #conversation: Conversation | undefined
  #account: Account | undefined

  constructor(accounts: Accounts) {
    this.#accounts = accounts
  }

  /** The signed-in user. */
  get user(): string | undefined {
    return this.#account?.user
  }

  /** Its role. */
  get role(): { role: string; db: string } {
    const { database } = this.#account ?? {}
    return database === undefined ? { role: 'root', db: 'admin' } : { role: 'readWrite', db: database }
  }

  /** The maximum size of a message in bytes. */
  get maxMessageBytes(): number {
    return this.#account === undefined ? MAX_STRANGER_MESSAGE_BYTES : MAX_MESSAGE_BYTES
  }

  /** Throws a {@link CommandError} for a command that the user may not send. */
  check(command: Command): void {
    const { name, db } = command
    if (this.#account === undefined) {
      if (OPEN.has(name)) return
      throw new CommandError(CODES.unauthorized, `Command ${name} requires authentication`)
    }
    const { database } = this.#account
    if (database === undefined || ANYWHERE.has(name)) return
    if (!isIn(db, database) || !IN_OWN_DATABASE.has(name) || writesByPipeline(command))
      throw new CommandError(CODES.unauthorized, `not authorized on ${db} to execute command ${name}`)
  }

  /** Answers `saslStart`, which may also be in a `hello`. Throws a {@link CommandError}. */
  start({ mechanism, payload, options }: Document): Document {
    this.#conversation = undefined
    if (mechanism !== MECHANISM)
      throw new CommandError(CODES.mechanismUnavailable, `${MECHANISM} is the only mechanism`)
    const first = /^n,,(n=([^,]+),r=([^,]+))$/.exec(textOf(payload))
    if (!first) throw refused()
    const [, bare = '', name = '', clientNonce = ''] = first
    const nonce = clientNonce + randomBytes(24).toString('base64')
    const account = this.#accounts.get(name.replaceAll('=2C', ',').replaceAll('=3D', '='))
    const reply = `r=${nonce},s=${account.salt.toString('base64')},i=${ITERATIONS}`
    this.#conversation = {
      account,
      nonce,
      said: `${bare},${reply}`,
      isShort: options?.skipEmptyExchange === true,
    }
    return step(reply, false)
  }

  /** Answers `saslContinue`. Throws a {@link CommandError}. */
  continue({ body }: Command): Document {
    const conversation = this.#conversation
    const { payload } = deserialize(body)
    // Clients without `skipEmptyExchange` send one more empty message.
    if (!conversation && this.#account !== undefined) return step('', true)
    this.#conversation = undefined
    const final = /^(c=biws,r=([^,]+)),p=([^,]+)$/.exec(textOf(payload))
    if (!conversation || !final) throw refused()
    const [, withoutProof = '', nonce, proof = ''] = final
    const { account } = conversation
    const { storedKey, serverKey } = account
    const said = `${conversation.said},${withoutProof}`
    const signature = hmac(storedKey, said)
    const given = Buffer.from(proof, 'base64')
    const clientKey = Buffer.from(signature.map((byte, n) => byte ^ (given[n] ?? 0)))
    const isProven = given.length === signature.length && timingSafeEqual(hash(clientKey), storedKey)
    if (!isProven || nonce !== conversation.nonce) throw refused()
    this.#account = account
    return step(`v=${hmac(serverKey, said).toString('base64')}`, conversation.isShort)
  }
}

function isIn(db: string, database: string): boolean {
  return database.startsWith('*') ? db.endsWith(database.slice(1)) : db === database
}

function writesByPipeline({ name, body }: Command): boolean {
  if (name !== 'aggregate' || !WRITING_STAGES.some((stage) => body.includes(stage))) return false
  const { pipeline } = deserialize(body)
  return Object.values(pipeline ?? {}).some((stage) =>
    WRITING_STAGES.some((each) => Object.hasOwn(Object(stage), each)),
  )
}

function step(payload: string, done: boolean): Document {
  return { conversationId: 1, done, payload: new Binary(Buffer.from(payload)), ok: 1 }
}

function refused(): CommandError {
  return new CommandError(CODES.authenticationFailed, 'Authentication failed.')
}

function textOf(payload: unknown): string {
  return payload instanceof Binary ? Buffer.from(payload.buffer).subarray(0, payload.position).toString() : ''
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function hash(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
