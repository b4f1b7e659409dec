import type { Bus } from '@gatehouse/proto/bus/bus.ts'

/** The topic of the bus under which every sso process hears what has ended. */
export const ENDED_SIGN_INS = 'sign_ins'

/** Whose sessions, grants and tokens have ended: a contact's, or all at an app. */
export type EndedSignIn = { account_id: string } & ({ contact_id: string } | { client_id: string })

/**
 * Tells every sso process that what is signed in has ended, before the caller hears that it is done. Nothing rests on its arrival: the
 * version of a contact, and whether an app exists, are looked at whenever something is used. It spares what nobody can use any more.
 */
export function announceEnded(bus: Bus, ended: EndedSignIn): void {
  bus.announce(ENDED_SIGN_INS, JSON.stringify(ended))
}
