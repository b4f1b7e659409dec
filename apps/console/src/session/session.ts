import type { Role } from '../../../declaration.ts'
import { asRefusal, type ConsoleAnswer, consoleClient } from '../server/server.ts'

/** Who is signed in, as the gateway says. */
export type Session = ConsoleAnswer<'/console/session.json'>

const RANKS: readonly Role[] = ['viewer', 'door_manager', 'organizer', 'owner']

/** Whether who is signed in may do what is for a role and those above. */
export function may({ staff_member }: Session, least: Role): boolean {
  return RANKS.indexOf(staff_member.role) >= RANKS.indexOf(least)
}

/** The route where somebody begins: at their event, if they are there for one alone. */
export function homeOf({ staff_member: { event_id } }: Session): string[] {
  return event_id === null ? ['events'] : ['events', event_id]
}

const ACCOUNT = 'account'
const PLACE = 'place'

/** The session; undefined without one. Throws where the gateway does not answer. */
export async function readSession(): Promise<Session | undefined> {
  try {
    const { data: session } = await consoleClient.GET('/console/session.json')
    localStorage.setItem(ACCOUNT, session.account)
    return session
  } catch (error) {
    if (asRefusal(error).code === 'unauthorized') return undefined
    throw error
  }
}

/** The slug of the account that signed in here the last time. */
export function lastAccount(): string {
  return localStorage.getItem(ACCOUNT) ?? ''
}

/** The address where people of an account sign in. */
export function signInAddress(account: string): string {
  return `sign-in?${new URLSearchParams({ account, to: '/console/' })}`
}

/** The address where who is signed in does so again, also where single sign-on would do, and comes back to a route. */
export function signInAgainAddress(account: string, route: string): string {
  return `sign-in?${new URLSearchParams({ account, to: `/console/${route}`, again: '1' })}`
}

/** Goes to the sign-in page, and remembers the route, which no server sees. */
export function signIn(account: string): void {
  sessionStorage.setItem(PLACE, location.hash)
  location.assign(signInAddress(account))
}

/** Goes back to the route where someone signed in. */
export function returnToPlace(): void {
  const route = sessionStorage.getItem(PLACE)
  sessionStorage.removeItem(PLACE)
  if (route && !location.hash) history.replaceState(null, '', route)
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await consoleClient.POST('/console/sign-out')
  location.assign('./')
}
