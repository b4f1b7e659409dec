import { readFileSync } from 'node:fs'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import type { ApplePasses } from '../settings.ts'

/** What came of a push: Apple took it, knows the device no longer, or may take it later. */
export type PushOutcome = 'sent' | 'gone' | 'failed'

const TIMEOUT_MS = 10_000
/** Apple's answer to a push has an error code in its body, of which it says that the token is not of this device or topic. */
const GONE = /"(BadDeviceToken|DeviceTokenNotForTopic|Unregistered)"/
const MAX_ANSWER = 4_096

/** Sends empty pushes to devices, by Apple's push notification service (APNs), which authenticates by the certificate of the passes. */
export class Apns {
  readonly #url: string
  readonly #signing: ApplePasses
  readonly #ca: Buffer | undefined
  #session: ClientHttp2Session | undefined

  constructor(signing: ApplePasses, { apns_url, apns_ca_file }: { apns_url: string; apns_ca_file: string | null }) {
    this.#url = apns_url
    this.#signing = signing
    this.#ca = apns_ca_file ? readFileSync(apns_ca_file) : undefined
  }

  /** Tells a device to ask for its passes anew. Never rejects. */
  async push(token: string): Promise<PushOutcome> {
    try {
      const { status, text } = await this.#send(token)
      if (status === 200) return 'sent'
      return status === 410 || (status === 400 && GONE.test(text)) ? 'gone' : 'failed'
    } catch {
      return 'failed'
    }
  }

  close(): void {
    this.#session?.destroy()
  }

  #send(token: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const request = this.#open().request({
        [constants.HTTP2_HEADER_METHOD]: 'POST',
        [constants.HTTP2_HEADER_PATH]: `/3/device/${token}`,
        'apns-topic': this.#signing.passTypeIdentifier,
      })
      let status = 0
      let text = ''
      request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error('APNs does not answer')))
      request.on('response', (headers) => {
        status = Number(headers[constants.HTTP2_HEADER_STATUS])
      })
      request.setEncoding('utf8')
      request.on('data', (chunk: string) => {
        if (text.length < MAX_ANSWER) text += chunk
      })
      request.on('end', () => resolve({ status, text }))
      request.on('error', reject)
      request.on('close', () => reject(new Error('APNs closed the connection')))
      request.end('{}')
    })
  }

  #open(): ClientHttp2Session {
    const known = this.#session
    if (known && !known.closed && !known.destroyed) return known
    const { certificate: cert, key } = this.#signing
    const session = connect(this.#url, { cert, key, ...(this.#ca && { ca: this.#ca }) })
    // Requests get the error too.
    session.on('error', () => session.destroy())
    session.on('goaway', () => session.close())
    session.unref()
    this.#session = session
    return session
  }
}
