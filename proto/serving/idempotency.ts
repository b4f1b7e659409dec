import { createHash, hkdfSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Binary, type Collection, type Db, MongoServerSelectionError } from 'mongodb'
import type { Meta, Reply } from '../bus/messages.ts'
import { Fault, invalid } from '../declaring/faults.ts'
import { messageOf } from '../declaring/messages.ts'
import { unlessTaken } from '../storage/mongo.ts'
import { sealed, unsealed } from '../storage/sealing.ts'

interface StoredAnswer {
  _id: string
  fingerprint: string
  /** A try without an answer counts as running until then; afterwards another try may take over. */
  running_until: Date
  /** The request that runs: the gateway sends it to another process if one hangs. */
  request_id?: string
  reply?: Binary
  status?: number
  created_at: Date
}

type Claim = Pick<StoredAnswer, '_id' | 'fingerprint' | 'request_id'>

const DAY_SECONDS = 86_400
/** Longer than every deadline. */
const MAX_BUDGET_MS = 60_000
/** Work goes on after its deadline for as long as the store may take. A longer margin would delay the retries of devices after a crash. */
const GRACE_MS = 10_000
/** The pause between attempts to free a key while the store is away. */
const AGAIN_MS = 1_000

/**
 * Keeps the first answer to each `Idempotency-Key` for a day: the same key and body get it again, another body is refused (422), and a key
 * whose first request still runs is a conflict (409). Refusals are not kept, since they changed nothing.
 */
export class IdempotencyStore {
  readonly #answers: Collection<StoredAnswer>

  constructor(db: Db) {
    this.#answers = db.collection('idempotency_keys')
  }

  /** Creates the TTL index. */
  async prepare(): Promise<void> {
    await this.#answers.createIndex({ created_at: 1 }, { expireAfterSeconds: DAY_SECONDS })
  }

  /** Runs `run` unless this key of `owner` has an answer. */
  async once(subject: string, owner: string, meta: Meta, body: Uint8Array, run: () => Promise<Reply>): Promise<Reply> {
    const _id = hash([owner, meta.idempotency_key ?? ''])
    // The hash includes the key, which is not stored: a plain hash of a body with a password would allow guessing it.
    const fingerprint = hash([meta.idempotency_key ?? '', subject, JSON.stringify(meta.params ?? {}), body])
    const key = answerKey(meta.idempotency_key ?? '', _id)
    const { request_id } = meta
    const claim = { _id, fingerprint, ...(request_id && { request_id }) }
    const longestMs = longestRun(meta)
    const earlier = await this.#claim(claim, longestMs, key).catch((error: unknown) => {
      // The store may have the claim all the same.
      if (!(error instanceof Fault || error instanceof MongoServerSelectionError))
        void this.#freeLater(claim, longestMs)
      throw error
    })
    if (earlier) return earlier
    try {
      const reply = await run()
      await this.#answers.updateOne(
        { _id },
        { $set: { reply: new Binary(sealed(key, reply.body)), ...(reply.status && { status: reply.status }) } },
      )
      return reply
    } catch (error) {
      await this.#release(_id, error).catch(() => void this.#freeLater(claim, longestMs))
      throw error
    }
  }

  /**
   * After a refusal, which changed nothing, the key is free again. After any other error something may be stored: the same request may be
   * retried at once and finds it by the derived ids, and another request cannot use the key.
   */
  async #release(_id: string, error: unknown): Promise<void> {
    if (error instanceof Fault && error.code !== 'unavailable')
      await this.#answers.deleteOne({ _id, reply: { $exists: false } })
    else await this.#answers.updateOne({ _id }, { $set: { running_until: new Date() } })
  }

  /**
   * Ends the claim of a request that has failed once the store is back, instead of when its time is up: until then devices would get 409 for each retry.
   * Another request may have the key by now.
   */
  async #freeLater({ _id, request_id }: Claim, longestMs: number): Promise<void> {
    if (request_id === undefined) return
    const until = performance.now() + longestMs
    for (let isFree = false; !isFree && performance.now() < until; ) {
      await sleep(AGAIN_MS, undefined, { ref: false })
      const freeing = this.#answers.updateOne({ _id, request_id }, { $set: { running_until: new Date() } })
      isFree = await freeing.then(
        () => true,
        () => false,
      )
    }
  }

  /** Takes the key, or gives the answer it already has. The request that has it may reach another process, which takes it as well. */
  async #claim(claim: Claim, longestMs: number, key: Buffer): Promise<Reply | undefined> {
    const { _id, fingerprint, request_id } = claim
    const now = new Date()
    const running_until = new Date(now.getTime() + longestMs)
    if (await unlessTaken(this.#answers.insertOne({ ...claim, running_until, created_at: now }))) return undefined
    const stored = await this.#answers.findOne({ _id })
    if (!stored) return this.#claim(claim, longestMs, key)
    if (stored.fingerprint !== fingerprint) throw reusedKey()
    if (stored.reply) {
      return {
        body: unsealed(key, stored.reply.buffer),
        replayed: true,
        ...(stored.status && { status: stored.status }),
      }
    }
    if (request_id !== undefined && stored.request_id === request_id) return undefined
    const taken = await this.#answers.findOneAndUpdate(
      { _id, running_until: { $lte: now } },
      { $set: { running_until, ...(request_id && { request_id }) } },
    )
    if (!taken) throw runningKey()
    return undefined
  }
}

/** How long a try may run, in ms. */
function longestRun({ budget }: Meta): number {
  return Math.min(Number(budget) || MAX_BUDGET_MS, MAX_BUDGET_MS) + GRACE_MS
}

/**
 * Replies are encrypted under the client's `Idempotency-Key`, of which only a hash is stored: a reply may hold a token that is shown once.
 */
function answerKey(idempotencyKey: string, salt: string): Buffer {
  return Buffer.from(hkdfSync('sha256', idempotencyKey, salt, 'idempotency reply', 32))
}

/** 422: the key was used for another request. */
export function reusedKey(): Fault {
  return invalid({ idempotency_key: [messageOf('idempotency_key_reused')] })
}

/** 409: the first request with this key is still running. Only `Retry-After` distinguishes it from a conflict that stays. */
export function runningKey(): Fault {
  return new Fault('conflict', messageOf('request_in_progress'), undefined, 1)
}

function hash(parts: (string | Uint8Array)[]): string {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(`${part.length}:`).update(part)
  return digest.digest('hex')
}
