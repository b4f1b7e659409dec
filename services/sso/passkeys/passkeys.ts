import { isIP } from 'node:net'
import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Binary } from 'mongodb'
import type { StoredContact } from '../api/contacts/store.ts'
import type { Issuers } from '../issuers.ts'
import { CHALLENGE_SECONDS, type PasskeyStore, type StoredPasskey } from './store.ts'

/** Most passkeys of a contact. */
const MOST = 20
const NOT_VALID = { response: [messageOf('invalid')] }

/** Why browsers offer no passkeys here. */
const ON_AN_ADDRESS =
  'Browsers keep passkeys for names alone, and PUBLIC_URL has an IP address: set it to http://localhost with the port, or to a name'

/** Signing in with passkeys (WebAuthn), which belong to the host of `PUBLIC_URL`. */
export class Passkeys {
  readonly #store: PasskeyStore
  /** What passkeys belong to. */
  readonly #host: string
  readonly #origin: string

  constructor(store: PasskeyStore, { base, hostname }: Issuers) {
    this.#store = store
    this.#host = hostname
    this.#origin = new URL(base).origin
  }

  /** Why there are no passkeys; undefined if there are. */
  get obstacle(): string | undefined {
    return isIP(this.#host.replace(/^\[|\]$/g, '')) ? ON_AN_ADDRESS : undefined
  }

  /** Whether contacts can sign in with passkeys at an issuer: an account's own host has none. */
  areAt(issuer: string): boolean {
    return this.obstacle === undefined && new URL(issuer).origin === this.#origin
  }

  /** What a browser needs to make a passkey; `boundTo` is the browser's session. */
  async registration(contact: StoredContact, account: string, boundTo: string): Promise<Record<string, unknown>> {
    const { generateRegistrationOptions } = await library()
    const known = await this.#store.ofContact(contact)
    const options = await generateRegistrationOptions({
      rpName: account,
      rpID: this.#host,
      userID: new Uint8Array(Buffer.from(contact._id)),
      userName: contact.email,
      challenge: await this.#store.newChallenge(boundTo),
      timeout: CHALLENGE_SECONDS * 1_000,
      attestationType: 'none',
      excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    return { ...options }
  }

  /** Stores a passkey that a browser has made. Throws `invalid` for a response that is not valid. */
  async register(
    contact: StoredContact,
    { name, response }: { name: string; response: object },
    boundTo: string,
  ): Promise<Omit<StoredPasskey, '_id'>> {
    const known = await this.#store.ofContact(contact)
    if (known.length >= MOST) throw invalid({ passkeys: [messageOf('limit_reached', { limit: MOST })] })
    const { verifyRegistrationResponse } = await library()
    const verified = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => this.#store.takeChallenge(challenge, boundTo),
      expectedOrigin: this.#origin,
      expectedRPID: this.#host,
      requireUserVerification: true,
    }).catch(() => undefined)
    if (!verified?.verified) throw invalid(NOT_VALID)
    const { id: credential_id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
    const { _id: contact_id, account_id, version } = contact
    const passkey = {
      ...{ account_id, contact_id, version, credential_id, name, public_key: new Binary(publicKey), counter },
      ...{ transports, created_at: new Date(), last_used_at: null },
    }
    if (!(await this.#store.insert(passkey))) throw invalid(NOT_VALID)
    await this.#store.deleteVoid(contact)
    return passkey
  }

  /** What a browser needs to sign in with any of its passkeys; `boundTo` is the sign-in. */
  async signIn(boundTo: string): Promise<object> {
    const { generateAuthenticationOptions } = await library()
    return generateAuthenticationOptions({
      rpID: this.#host,
      challenge: await this.#store.newChallenge(boundTo),
      timeout: CHALLENGE_SECONDS * 1_000,
      userVerification: 'required',
    })
  }

  /** The passkey of an account's contact that has signed a challenge of this sign-in; undefined for any reason why there is none. */
  async signed(account_id: string, text: string, boundTo: string): Promise<StoredPasskey | undefined> {
    try {
      const response = JSON.parse(text) as AuthenticationResponseJSON
      const passkey = await this.#store.get(account_id, String(response.id))
      const holder = passkey && Buffer.from(passkey.contact_id).toString('base64url')
      if (!passkey || response.response.userHandle !== holder) return undefined
      const { verifyAuthenticationResponse } = await library()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: (challenge) => this.#store.takeChallenge(challenge, boundTo),
        expectedOrigin: this.#origin,
        expectedRPID: this.#host,
        requireUserVerification: true,
        credential: {
          id: passkey.credential_id,
          publicKey: new Uint8Array(passkey.public_key.buffer),
          counter: passkey.counter,
        },
      })
      const isIn = verified && (await this.#store.noteUse(passkey, authenticationInfo.newCounter))
      return isIn ? passkey : undefined
    } catch {
      // What the library refuses it throws: a wrong signature, origin, host or counter.
      return undefined
    }
  }
}

/** Loaded for the first passkey only: it takes 30 MB. */
function library(): Promise<typeof import('@simplewebauthn/server')> {
  return import('@simplewebauthn/server')
}
