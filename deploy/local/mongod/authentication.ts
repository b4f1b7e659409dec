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

/** The stored keys of the only user, with which a client could not sign in. */
export interface ScramKeys {
  user: string
  salt: Buffer
  storedKey: Buffer
  serverKey: Buffer
}

/** The only mechanism. */
export const MECHANISM = 'SCRAM-SHA-256'

/** The minimum that drivers accept. It protects short passwords; ours are random, and each process derives its key once. */
const ITERATIONS = 4_096
/** Unauthenticated messages are short. */
const MAX_STRANGER_MESSAGE_BYTES = 16 * 1024
/** Commands for unauthenticated clients. Monitors of drivers never sign in. */
const OPEN = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'saslStart', 'saslContinue'])

/** The stored keys of a password. */
export async function accountOf(user: string, password: string): Promise<ScramKeys> {
  const salt = randomBytes(28)
  const salted = await promisify(pbkdf2)(password, salt, ITERATIONS, 32, 'sha256')
  return { user, salt, storedKey: hash(hmac(salted, 'Client Key')), serverKey: hmac(salted, 'Server Key') }
}

/** The state of a conversation before the client's proof. */
interface Conversation {
  user: string
  nonce: string
  /** The messages so far, which the proof signs. */
  said: string
  /** The client skips the empty exchange after its proof. */
  isShort: boolean
}

/** The authentication of a connection. */
export class Authentication {
  readonly #account: ScramKeys
  #conversation: Conversation | undefined
  #user: string | undefined

  constructor(account: ScramKeys) {
    this.#account = account
  }

  /** The signed-in user. */
  get user(): string | undefined {
    return this.#user
  }

  /** The maximum size of a message in bytes. */
  get maxMessageBytes(): number {
    return this.#user === undefined ? MAX_STRANGER_MESSAGE_BYTES : MAX_MESSAGE_BYTES
  }

  /** Throws a {@link CommandError} if a command requires authentication. */
  check(command: string): void {
    if (this.#user === undefined && !OPEN.has(command))
      throw new CommandError(CODES.unauthorized, `Command ${command} requires authentication`)
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
    const reply = `r=${nonce},s=${this.#account.salt.toString('base64')},i=${ITERATIONS}`
    this.#conversation = {
      user: name.replaceAll('=2C', ',').replaceAll('=3D', '='),
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
    if (!conversation && this.#user !== undefined) return step('', true)
    this.#conversation = undefined
    const final = /^(c=biws,r=([^,]+)),p=([^,]+)$/.exec(textOf(payload))
    if (!conversation || !final) throw refused()
    const [, withoutProof = '', nonce, proof = ''] = final
    const { user, storedKey, serverKey } = this.#account
    const said = `${conversation.said},${withoutProof}`
    const signature = hmac(storedKey, said)
    const given = Buffer.from(proof, 'base64')
    const clientKey = Buffer.from(signature.map((byte, n) => byte ^ (given[n] ?? 0)))
    const isProven = given.length === signature.length && timingSafeEqual(hash(clientKey), storedKey)
    if (!isProven || nonce !== conversation.nonce || conversation.user !== user) throw refused()
    this.#user = user
    return step(`v=${hmac(serverKey, said).toString('base64')}`, conversation.isShort)
  }
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
