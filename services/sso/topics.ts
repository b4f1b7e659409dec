import { identifier, maybe, record } from '@gatehouse/proto/declaring/fields.ts'
import { topic } from '@gatehouse/proto/declaring/topic.ts'
import type { Static } from 'typebox'

/** Some token ended, or may do something else now. The text says which of these. */
export const tokens = topic('tokens')

/** Something changed of the account whose id the text is. */
export const accounts = topic('accounts')
export const contacts = topic('contacts')
export const oauthApps = topic('oauth_apps')
export const contactFields = topic('contact_fields')

const ended = record({ account_id: identifier(), contact_id: maybe(identifier()), client_id: maybe(identifier()) })

/** Whose sign-ins have ended, or whose tokens may be void: of a contact or an app if it is known, else of any of the account. */
export type Ended = Static<typeof ended>

/**
 * The sessions, grants and tokens of a contact or an app have ended. Security does not depend on it, because each use checks the contact's
 * version and the app. It lets processes delete void artifacts.
 */
export const signIns = topic('sign_ins', ended)
/** Tokens of a contact, or of any of the account, may be void. */
export const voidTokens = topic('void', ended)
