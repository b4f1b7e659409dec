import type { PassContent } from '../content.ts'
import { googleObjects, signedToken } from '../google-pass.ts'
import type { GooglePasses } from '../settings.ts'

const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer'
const TIMEOUT_MS = 10_000
const HOUR_S = 3_600
/** A token is asked for anew so long before it ends. */
const MARGIN_MS = 60_000

/** Changes passes that are saved in Google Wallet, by Google's REST API and as the service account. */
export class GoogleUpdates {
  readonly #signing: GooglePasses
  readonly #url: string
  #token: { value: string; until: number } | undefined

  constructor(signing: GooglePasses, { google_wallet_url }: { google_wallet_url: string }) {
    this.#signing = signing
    this.#url = `${google_wallet_url}/walletobjects/v1`
  }

  /** Makes a saved pass say this; without content it expires, and names nobody. Returns whether that is done; never rejects. */
  async update(guest_id: string, content: PassContent | undefined): Promise<boolean> {
    const id = `${this.#signing.issuer}.${guest_id}`
    try {
      if (!content) {
        const nobody = { state: 'EXPIRED', ticketHolderName: '', barcode: { type: 'QR_CODE', value: 'void' } }
        return await this.#patch(`eventTicketObject/${id}`, nobody)
      }
      const { eventTicketClass, eventTicketObject } = googleObjects(this.#signing, content)
      const isPatched = await this.#patch(`eventTicketClass/${eventTicketClass.id}`, eventTicketClass)
      return isPatched && (await this.#patch(`eventTicketObject/${id}`, eventTicketObject))
    } catch {
      return false
    }
  }

  /** Whether Google took a change, or does not know the pass: its guest has looked at the link, and not saved it. */
  async #patch(path: string, body: object): Promise<boolean> {
    const answer = await fetch(`${this.#url}/${path}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${await this.#accessToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.body?.cancel()
    if (answer.status === 401) this.#token = undefined
    return answer.ok || answer.status === 404
  }

  async #accessToken(): Promise<string> {
    if (this.#token && this.#token.until > Date.now()) return this.#token.value
    const { email: iss, key, tokenUrl: aud } = this.#signing
    const iat = Math.floor(Date.now() / 1_000)
    const assertion = signedToken(key, { iss, scope: SCOPE, aud, iat, exp: iat + HOUR_S })
    const answer = await fetch(aud, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { access_token, expires_in = HOUR_S } = (await answer.json()) as {
      access_token?: string
      expires_in?: number
    }
    if (!answer.ok || typeof access_token !== 'string') throw new Error('Google gives no access token')
    this.#token = { value: access_token, until: Date.now() + expires_in * 1_000 - MARGIN_MS }
    return access_token
  }
}
