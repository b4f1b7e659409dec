import type { Role } from '../../../declaration.ts'

/** Who is signed in, as the gateway says. */
export interface Session {
  account_id: string
  account: string
  account_name?: string
  staff_member: { _id: string; name: string | null; email: string; role: Role; event_id: string | null }
  /** Whether this address can have passkeys. */
  passkeys: { available: boolean }
}

const RANKS: readonly Role[] = ['viewer', 'door_manager', 'organizer', 'owner']

/** Whether who is signed in may do what is for a role and those above. */
export function may({ staff_member }: Session, least: Role): boolean {
  return RANKS.indexOf(staff_member.role) >= RANKS.indexOf(least)
}

const ACCOUNT = 'account'
const PLACE = 'place'

/** The session; undefined without one. Throws where the gateway does not answer. */
export async function readSession(): Promise<Session | undefined> {
  const answer = await fetch('session.json')
  if (answer.status === 401) return undefined
  if (!answer.ok) throw new Error(`The answer is ${answer.status}`)
  const session = (await answer.json()) as Session
  localStorage.setItem(ACCOUNT, session.account)
  return session
}

/** The slug of the account which signed in here the last time. */
export function lastAccount(): string {
  return localStorage.getItem(ACCOUNT) ?? ''
}

/** The address where people of an account sign in. */
export function signInAddress(account: string): string {
  return `sign-in?${new URLSearchParams({ account, to: '/console/' })}`
}

/** The address where who is signed in does so again, also where single sign-on would do, and comes back to a place in the console. */
export function signInAgainAddress(account: string, place: string): string {
  return `sign-in?${new URLSearchParams({ account, to: `/console/${place}`, again: '1' })}`
}

/** Goes to the sign-in page, and remembers the place in the console, which no server sees. */
export function signIn(account: string): void {
  sessionStorage.setItem(PLACE, location.hash)
  location.assign(signInAddress(account))
}

/** Goes back to the place from which someone has signed in. */
export function returnToPlace(): void {
  const place = sessionStorage.getItem(PLACE)
  sessionStorage.removeItem(PLACE)
  if (place && !location.hash) history.replaceState(null, '', place)
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await fetch('sign-out', { method: 'POST', headers: { 'content-type': 'application/json' } })
  location.assign('./')
}
