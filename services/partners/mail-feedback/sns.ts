import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { Fault, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import { isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import { type Json, textOf } from './report.ts'

/** Gets what is at an address. */
export type FetchFunction = typeof fetch

/** The only hosts which are ever asked: those of SNS itself. */
const HOST = /^sns\.[a-z]{2}(-[a-z]+)+-\d\.amazonaws\.com(\.cn)?$/
const TIMEOUT_MS = 4_000
const MAX_CERTIFICATE_BYTES = 65_536
/** SNS rotates certificates, under another address each time. */
const CERTIFICATE_TTL_MS = 86_400_000
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

  constructor(arn: string, fetch: FetchFunction) {
    this.#arn = arn
    this.#fetch = fetch
  }

  /** Throws `unauthorized` unless SNS has signed a message of the topic, `unavailable` if the certificate cannot be had now. */
  async check(message: Json): Promise<void> {
    const algorithm = ALGORITHMS[textOf(message.SignatureVersion)]
    const address = ofAmazon(message.SigningCertURL)
    if (!isSameSecret(textOf(message.TopicArn), this.#arn) || !algorithm || !address?.pathname.endsWith('.pem'))
      throw new Fault('unauthorized')
    const names = CONFIRMATIONS.includes(textOf(message.Type)) ? CONFIRMATION : NOTIFICATION
    const signed = names.flatMap((name) => (typeof message[name] === 'string' ? [`${name}\n${message[name]}\n`] : []))
    const signature = Buffer.from(textOf(message.Signature), 'base64')
    if (!verify(algorithm, Buffer.from(signed.join('')), await this.#keyAt(address.href), signature))
      throw new Fault('unauthorized')
  }

  /** Confirms the subscription to the topic, which a checked message asks for. */
  async confirm(message: Json): Promise<void> {
    const address = ofAmazon(message.SubscribeURL)
    if (!address) throw new Fault('unauthorized')
    await this.#get(address.href, 0)
  }

  async #keyAt(address: string): Promise<KeyObject> {
    const known = this.#keys.get(address)
    if (known) return known
    const pem = await this.#get(address, MAX_CERTIFICATE_BYTES)
    try {
      const certificate = new X509Certificate(pem)
      const now = Date.now()
      if (now < certificate.validFromDate.getTime() || now > certificate.validToDate.getTime())
        throw new Fault('unauthorized')
      this.#keys.set(address, certificate.publicKey)
      return certificate.publicKey
    } catch {
      throw new Fault('unauthorized')
    }
  }

  /** What is at an address of SNS, of at most `maxBytes`. */
  async #get(address: string, maxBytes: number): Promise<string> {
    try {
      const response = await this.#fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (!response.ok) throw unavailable()
      const chunks: Uint8Array[] = []
      let received = 0
      for await (const chunk of response.body ?? []) {
        received += chunk.length
        if (received > maxBytes) break
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString()
    } catch {
      throw unavailable()
    }
  }
}

/** An address of SNS; undefined for any other. */
function ofAmazon(given: unknown): URL | undefined {
  const address = URL.parse(textOf(given))
  const isPlain = address?.protocol === 'https:' && address.port === '' && address.username + address.password === ''
  return address && isPlain && HOST.test(address.hostname) ? address : undefined
}
