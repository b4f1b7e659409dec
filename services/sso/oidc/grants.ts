import { hash } from 'node:crypto'

/**
 * The id of the grant that an app gets in a session after the `last` one there. It follows from these, so that two windows that open the
 * app at the same moment get the same grant: the code of one would be void once the session names the grant of the other.
 */
export function nextGrantId(session_uid: string, client_id: string, last: string | undefined): string {
  return hash('sha256', JSON.stringify([session_uid, client_id, last ?? null]), 'base64url')
}
