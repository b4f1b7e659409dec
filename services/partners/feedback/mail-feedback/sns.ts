import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'
import { Fault, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import { isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import { type Json, textOf } from './report.ts'

/** Gets what is at an address. */
export type FetchFunction = typeof fetch

/** The only hosts that are ever asked: those of SNS itself. */
const HOST = /^sns\.[a-z]{2}(-[a-z]+)+-\d\.amazonaws\.com(\.cn)?$/
const TIMEOUT_MS = 4_000
const MAX_CERTIFICATE_BYTES = 65_536
/** SNS rotates certificates, under another address each time. */
const CERTIFICATE_TTL_MS = 86_400_000
/** Certificates that are fetched at once. */
const MAX_FETCHES = 4
/** Addresses without a certificate that are remembered, and for how long: where there is none, and where Amazon did not answer. */
const MAX_REMEMBERED = 1_000
const NO_CERTIFICATE_TTL_MS = 3_600_000
const NO_ANSWER_TTL_MS = 30_000
/** Answers by which Amazon says that there is nothing at an address. */
const ABSENT = [400, 403, 404, 410]
/** Bytes of a signature: of keys of 1,024 to 4,096 bits. */
const [SHORTEST_SIGNATURE, LONGEST_SIGNATURE] = [128, 512]
/** The algorithm of each signature version. */
const ALGORITHMS: Record<string, string> = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' }
const CONFIRMATIONS = ['SubscriptionConfirmation', 'UnsubscribeConfirmation']
/** What is signed of a message, in this order. */
const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']

/** Messages of one topic of Amazon SNS. Anybody can publish signed messages by a topic of their own, so the topic counts as much as the signature. */
export class SnsTopic {
  readonly #arn: string
  readonly #fetch: FetchFunction
  readonly #keys = growingCache<KeyObject>(16, { ttl: CERTIFICATE_TTL_MS })
  /** Why there is no certificate at an address: whoever sends a message names the address, and may name one as often as they like. */
  readonly #refusals = growingCache<'unauthorized' | 'unavailable'>(MAX_REMEMBERED, { ttl: NO_CERTIFICATE_TTL_MS })
  readonly #fetching = new Semaphore(MAX_FETCHES, 1)

  constructor(arn: string, fetch: FetchFunction) {
    this.#arn = arn
    this.#fetch = fetch
  }

  /** Throws `unauthorized` unless SNS has signed a message of the topic, `unavailable` if the certificate cannot be had now. */
  async check(message: Json): Promise<void> {
    const algorithm = ALGORITHMS[textOf(message.SignatureVersion)]
    const address = ofAmazon(message.SigningCertURL)
    if (!isSameSecret(textOf(message.TopicArn), this.#arn) || !algorithm || !isCertificate(address))
      throw new Fault('unauthorized')
    const names = CONFIRMATIONS.includes(textOf(message.Type)) ? CONFIRMATION : NOTIFICATION
    const signed = names.flatMap((name) => (typeof message[name] === 'string' ? [`${name}\n${message[name]}\n`] : []))
    const signature = Buffer.from(textOf(message.Signature), 'base64')
    if (signature.length < SHORTEST_SIGNATURE || signature.length > LONGEST_SIGNATURE) throw new Fault('unauthorized')
    if (!verify(algorithm, Buffer.from(signed.join('')), await this.#keyAt(address.href), signature))
      throw new Fault('unauthorized')
  }

  /** Confirms the subscription to the topic, which a checked message asks for. */
  async confirm(message: Json): Promise<void> {
    const address = ofAmazon(message.SubscribeURL)
    if (!address) throw new Fault('unauthorized')
    await this.#get(address.href, 0)
  }

  /** The key of the certificate at an address. Throws `unauthorized` if there is none, `unavailable` if Amazon does not answer now. */
  #keyAt(address: string): Promise<KeyObject> | KeyObject {
    return (
      this.#known(address) ??
      this.#fetching.run(address, 1, TIMEOUT_MS, async () => this.#known(address) ?? this.#fetchKey(address))
    )
  }

  /** What is remembered of an address. */
  #known(address: string): KeyObject | undefined {
    const refusal = this.#refusals.get(address)
    if (refusal === 'unauthorized') throw new Fault(refusal)
    if (refusal) throw unavailable()
    return this.#keys.get(address)
  }

  async #fetchKey(address: string): Promise<KeyObject> {
    try {
      const key = keyIn(await this.#get(address, MAX_CERTIFICATE_BYTES))
      this.#keys.set(address, key)
      return key
    } catch (error) {
      const isRefused = error instanceof Fault && error.code === 'unauthorized'
      if (isRefused) this.#refusals.set(address, 'unauthorized')
      else this.#refusals.set(address, 'unavailable', { ttl: NO_ANSWER_TTL_MS })
      throw error
    }
  }

  /** What is at an address of SNS, of at most `maxBytes`. Throws `unauthorized` if there is nothing, `unavailable` if nobody answers. */
  async #get(address: string, maxBytes: number): Promise<string> {
    try {
      const response = await this.#fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (ABSENT.includes(response.status)) throw new Fault('unauthorized')
      if (!response.ok) throw unavailable()
      const chunks: Uint8Array[] = []
      let received = 0
      for await (const chunk of response.body ?? []) {
        received += chunk.length
        if (received > maxBytes) break
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString()
    } catch (error) {
      throw error instanceof Fault ? error : unavailable()
    }
  }
}

/** The key of a certificate. Throws `unauthorized` for anything else, and for one that is not valid now. */
function keyIn(pem: string): KeyObject {
  try {
    const { validFromDate, validToDate, publicKey } = new X509Certificate(pem)
    const now = Date.now()
    if (now >= validFromDate.getTime() && now <= validToDate.getTime()) return publicKey
  } catch {
    // Said below.
  }
  throw new Fault('unauthorized')
}

/** Whether an address of SNS may be that of a certificate: without a query, of which there would be any number. */
function isCertificate(address: URL | undefined): address is URL {
  return address?.pathname.endsWith('.pem') === true && address.search + address.hash === ''
}

/** An address of SNS; undefined for any other. */
function ofAmazon(given: unknown): URL | undefined {
  const address = URL.parse(textOf(given))
  const isPlain = address?.protocol === 'https:' && address.port === '' && address.username + address.password === ''
  return address && isPlain && HOST.test(address.hostname) ? address : undefined
}
