import { hash } from 'node:crypto'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { datetime, identifier, optionalText, text } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import * as topics from '../topics.ts'

/** What the protocol issues and has to find again: sessions, interactions, grants, codes and tokens. */
export interface Artifact {
  /** SHA-256 of account, kind and id, for a session its `uid`. The id itself is a secret and is not stored. */
  _id: string
  account_id: string
  kind: string
  /** The content as JSON, sealed: it has ids of other artifacts, and text that people typed. */
  sealed: string
  expires_at: Date
  put_at: Date
  /** The claim under which it is being used up: a random value of the request. */
  claim?: string
  /** When it was used up, which is possible once. */
  consumed_at?: Date
  /** When it was revoked. It stays until it expires, so that it is not stored again. */
  ended_at?: Date
  /** SHA-256 of its grant. */
  grant?: string
  /** For a session, SHA-256 of the ids that a browser may send: the current one first, then earlier ones of the same contact. */
  ids?: string[]
  /** For a session, how often it has changed. */
  revision?: number
  contact_id?: string
  client_id?: string
}

/** Artifacts as personal data: the sessions in which a contact is signed in, and what sites got of it. */
export const personalArtifacts: PersonalDocuments = {
  name: 'sso.sign_ins',
  collection: 'oidc_artifacts',
  scope: ['account_id'],
  fields: {
    contact_id: identifier({ personal: 'contact_id' }),
    kind: text(),
    client_id: optionalText(),
    put_at: datetime(),
    expires_at: datetime(),
  },
  order: { contact_id: 1, _id: 1 },
  outcome: 'deleted',
}

/** A found artifact. */
export interface FoundArtifact {
  payload: Record<string, unknown>
  /** When it was used up. */
  consumed_at: Date | undefined
}

/** The hash under which an artifact is stored. */
export function hashOf(account_id: string, kind: string, id: string): string {
  return hash('sha256', JSON.stringify([account_id, kind, id]), 'base64url')
}

/** Whether a found document is of a kind, and neither revoked nor expired. */
export function holds(found: Artifact | null, kind: string): found is Artifact {
  return found?.kind === kind && !found.ended_at && found.expires_at > new Date()
}

/** The fields of an artifact whose payload is valid for `seconds`. */
export function sealed(
  encrypter: Encrypter,
  payload: object,
  seconds: number,
): Pick<Artifact, 'sealed' | 'expires_at' | 'put_at'> {
  const put_at = new Date()
  const expires_at = new Date(put_at.getTime() + seconds * 1000)
  return { sealed: encrypter.encrypt(JSON.stringify(payload)), expires_at, put_at }
}

/** A valid artifact of a kind, with its payload; otherwise undefined. */
export function opened(encrypter: Encrypter, found: Artifact | null, kind: string): FoundArtifact | undefined {
  if (!holds(found, kind)) return undefined
  return { payload: JSON.parse(encrypter.decrypt(found.sealed)), consumed_at: found.consumed_at }
}

/** Waits for a write that may void access tokens of a contact, or of any of the account, and announces that if there is a bus. */
export function voiding<T>(
  bus: Bus | undefined,
  write: Promise<T>,
  account_id: string,
  contact_id?: string,
): Promise<T> {
  if (!bus) return write
  return bus.announcing(topics.voidTokens, { account_id, ...(contact_id !== undefined && { contact_id }) }, write)
}
