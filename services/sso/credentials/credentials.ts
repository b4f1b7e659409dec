import { randomInt } from 'node:crypto'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { Fault, invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Language } from '@gatehouse/proto/pages/languages.ts'
import { mailLogoOf } from '@gatehouse/proto/pages/mail-layout.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Mailer } from '@gatehouse/proto/process/mail.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import { shown } from '../api/accounts/shown.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import type { AuditEntry, AuditStore } from '../api/audit/store.ts'
import type { ContactStore, StoredContact } from '../api/contacts/store.ts'
import type { StaffContacts } from '../api/staff-members/contacts.ts'
import type { Issuers } from '../issuers.ts'
import type { StoredPasskey } from '../passkeys/store.ts'
import * as topics from '../topics.ts'
import { CODE_MINUTES, type CodeStore } from './codes.ts'
import { codeMail, linkMail, type MailLook } from './mails.ts'
import { hashPassword, passwordProblem, verifyPassword } from './passwords.ts'

const CODE_DIGITS = 8
const INVITATION_DAYS = 7
/** The error for a blocked contact. */
export const BLOCKED = { contact_id: [messageOf('blocked')] }
/** An id that no contact has. */
const NOBODY = '0'.repeat(24)

/** The origin of a sign-in, for audit records. */
export type Origin = Pick<AuditEntry, 'client_id' | 'address'>

/** One sign-in, which may take several requests. */
export interface SignIn extends Origin {
  /** A secret of the browser. */
  secret: string
}

export interface CredentialDependencies {
  contacts: ContactStore
  codes: CodeStore
  audit: AuditStore
  mailer: Mailer
  staffContacts: StaffContacts
  bus: Bus
  log: Log
  /** Beginning of links. */
  issuers: Issuers
}

/** A new invitation. Only its maker gets the `url`. */
export interface PasswordInvitation {
  contact: StoredContact
  url: string
  expires_at: Date
}

/**
 * How contacts authenticate: with passwords, one-time codes by e-mail, and invitations to choose a password. Unknown, blocked and
 * passwordless contacts get the same answer as a mistyped password, after the same work.
 */
export class Credentials {
  readonly #dependencies: CredentialDependencies
  /** E-mails that are being sent after their requests were answered. */
  readonly #sending = new Set<Promise<void>>()

  constructor(dependencies: CredentialDependencies) {
    this.#dependencies = dependencies
  }

  /** Whether one-time codes can be sent. */
  get sendsMail(): boolean {
    return this.#dependencies.mailer.isConfigured
  }

  /** The contact with this address and password; undefined for any reason why there is none. */
  async withPassword(
    account_id: string,
    email: string,
    password: string,
    origin: Origin = {},
  ): Promise<StoredContact | undefined> {
    const contact = await this.#dependencies.contacts.findByEmail(account_id, email)
    const isRight = await verifyPassword(contact?.password_hash ?? null, password)
    return this.#recordAttempt(account_id, contact, isRight, origin)
  }

  /**
   * Sends a one-time code for this sign-in to the contact with this address, if there is one who may sign in. Its work happens after the
   * answer, which reveals nothing.
   */
  requestCode(account: StoredAccount, email: string, language: Language, signIn: SignIn): void {
    this.#send(this.#sendCode(account, email, language, signIn), 'a sign-in code could not be sent')
  }

  #send(work: Promise<unknown>, failure: string): void {
    const sending: Promise<void> = work
      .then(
        () => {},
        (error: Error) => this.#dependencies.log.warn({ reason: reasonOf(error) }, failure),
      )
      .finally(() => this.#sending.delete(sending))
    this.#sending.add(sending)
  }

  /** The contact with this address and this newest one-time code of the sign-in; undefined if there is none. A code has five tries. */
  async withCode(
    account_id: string,
    email: string,
    code: string,
    { secret, ...origin }: SignIn,
  ): Promise<StoredContact | undefined> {
    const { contacts, codes } = this.#dependencies
    const contact = await contacts.findByEmail(account_id, email)
    const contact_id = contact?._id ?? NOBODY
    // The try is counted before the check, so concurrent tries are never more than five.
    const hash = await codes.take(account_id, contact_id, hashOfToken(secret))
    return this.#recordAttempt(account_id, contact, await verifyPassword(hash, code.replaceAll(/\s/g, '')), origin)
  }

  /**
   * Makes a link for choosing a password, once, within a week. It replaces an earlier one. Throws `not_found` if there is no such contact,
   * `invalid` if it is blocked.
   */
  async invite(account: StoredAccount, contact_id: string): Promise<PasswordInvitation> {
    const { contacts, issuers } = this.#dependencies
    const token = newToken()
    const now = new Date()
    const expires_at = new Date(now.getTime() + INVITATION_DAYS * 86_400_000)
    const contact = await contacts.invite(account._id, contact_id, {
      hash: hashOfToken(token),
      expires_at,
      created_at: now,
    })
    if (!contact) {
      if (!(await contacts.get(account._id, contact_id))) throw notFound()
      throw invalid(BLOCKED)
    }
    return { contact, url: `${issuers.of(account)}/invitations/${token}`, expires_at }
  }

  /** The contact whose passkey was verified, unless that one may not sign in or the passkey is void; undefined without one. */
  async withPasskey(
    account_id: string,
    passkey: Pick<StoredPasskey, 'contact_id' | 'version'> | undefined,
    origin: Origin = {},
  ): Promise<StoredContact | undefined> {
    const contact = passkey ? await this.#dependencies.contacts.get(account_id, passkey.contact_id) : null
    return this.#recordAttempt(account_id, contact, contact?.version === passkey?.version, origin)
  }

  /** Sends an invitation. Throws `unavailable` if the mail server refuses it. */
  async sendInvitation(
    account: StoredAccount,
    { contact, url, expires_at }: PasswordInvitation,
    language: Language,
  ): Promise<void> {
    const { mailer, log } = this.#dependencies
    const mail = { ...this.#sender(account), to: contact.email, url, expires_at }
    try {
      await mailer.send(linkMail(language, 'invitation', mail))
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'an invitation could not be sent')
      throw new Fault('unavailable', 'The mail server did not accept the e-mail')
    }
  }

  /** E-mails a link to a staff member, where a mail server is set. Its work happens after the answer, which holds the link too. */
  sendStaffLink(
    account: StoredAccount,
    { email }: StoredContact,
    link: Pick<PasswordInvitation, 'url' | 'expires_at'>,
    language: Language,
  ): void {
    const { mailer } = this.#dependencies
    if (!mailer.isConfigured) return
    const mail = linkMail(language, 'staff', { ...this.#sender(account), to: email, ...link })
    this.#send(mailer.send(mail), 'a link for a staff member could not be sent')
  }

  /** The contact of an invitation; undefined if it is used, expired or unknown. */
  async invited(account_id: string, token: string): Promise<StoredContact | undefined> {
    return (await this.#dependencies.contacts.invited(account_id, hashOfToken(token))) ?? undefined
  }

  /**
   * Uses an invitation up: sets the contact's password and ends its sign-ins. Undefined if the invitation is not valid. Throws `invalid`
   * for an unsuitable password; the invitation stays valid then.
   */
  async acceptInvitation(
    account_id: string,
    token: string,
    password: string,
    origin: Origin = {},
  ): Promise<StoredContact | undefined> {
    const { contacts, audit, staffContacts, bus } = this.#dependencies
    const problem = passwordProblem(password)
    if (problem) throw invalid({ password: [problem] })
    // Before hashing, so that a guessed token costs only a lookup.
    const invited = await this.invited(account_id, token)
    if (!invited) return undefined
    const hash = await hashPassword(password)
    const accepting = () => contacts.acceptInvitation(account_id, hashOfToken(token), hash)
    const contact = await staffContacts.ending(account_id, invited._id, accepting)
    if (!contact) return undefined
    bus.announce(topics.signIns, { account_id, contact_id: contact._id })
    await audit.record({ account_id, kind: 'password_changed', contact_id: contact._id, ...origin })
    return contact
  }

  /** Resolves when all pending e-mails are sent or have failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending)
  }

  /** Checks for blocked contacts only after all work is done. */
  async #recordAttempt(
    account_id: string,
    contact: StoredContact | null,
    isRight: boolean,
    origin: Origin,
  ): Promise<StoredContact | undefined> {
    const isIn = contact !== null && isRight && !contact.is_blocked
    const kind = isIn ? 'sign_in' : 'sign_in_failed'
    await this.#dependencies.audit.record({ account_id, kind, contact_id: contact?._id ?? null, ...origin })
    return isIn ? contact : undefined
  }

  async #sendCode(
    account: StoredAccount,
    email: string,
    language: Language,
    { secret, ...origin }: SignIn,
  ): Promise<void> {
    const { contacts, codes, audit, mailer } = this.#dependencies
    const contact = await contacts.findByEmail(account._id, email)
    if (!contact || contact.is_blocked || !mailer.isConfigured) return
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
    await codes.put(account._id, contact._id, hashOfToken(secret), await hashPassword(code))
    await audit.record({ account_id: account._id, kind: 'code_sent', contact_id: contact._id, ...origin })
    const mail = { ...this.#sender(account), to: contact.email, code, minutes: CODE_MINUTES }
    await mailer.send(codeMail(language, mail))
  }

  /** Whose e-mails they are, and how they look. */
  #sender(account: StoredAccount): { account: string; look: MailLook } {
    const { name, color, logo_url } = shown(account, this.#dependencies.issuers)
    return { account: name || account.slug, look: { colour: color, logo: mailLogoOf(logo_url) } }
  }
}

/** The reason why an e-mail failed, without its recipient. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return [code ?? 'unknown', responseCode].filter(Boolean).join(' ')
}
