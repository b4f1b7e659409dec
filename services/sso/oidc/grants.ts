import { hash } from 'node:crypto'

/**
 * The id of an app's next grant in a session, after the `last` one. It is derived, so two windows that open the app concurrently get the
 * same grant. With two grants the code of one window would be void as soon as the session names the grant of the other.
 */
export function nextGrantId(session_uid: string, client_id: string, last: string | undefined): string {
  return hash('sha256', JSON.stringify([session_uid, client_id, last ?? null]), 'base64url')
}
