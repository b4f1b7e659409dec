import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { identifier, maybe, record } from '@gatehouse/proto/declaring/fields.ts'
import type { Static } from 'typebox'

/** The topic which announces ended sign-ins to all sso processes. */
export const ENDED_SIGN_INS = 'sign_ins'

/** The contact or app whose sessions, grants and tokens have ended. */
export type EndedSignIn = { account_id: string } & ({ contact_id: string } | { client_id: string })

/** Whose tokens may be void: as announced, with the contact or app if it is known. */
export const voided = record({
  account_id: identifier(),
  contact_id: maybe(identifier()),
  client_id: maybe(identifier()),
})

/** Whose tokens may be void. */
export type Voided = Static<typeof voided>

/**
 * Announces to all sso processes that sign-ins have ended. Call it before the change is answered. Security does not depend on it, because
 * each use checks the contact's version and the app. It lets processes delete void artifacts.
 */
export function announceEnded(bus: Bus, ended: EndedSignIn): void {
  bus.announce(ENDED_SIGN_INS, JSON.stringify(ended))
}
