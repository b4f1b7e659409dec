import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { hashOfToken } from '@gatehouse/proto/storage/tokens.ts'
import type { Exhibitor } from './resource.ts'
import type { ExhibitorStore } from './store.ts'

/** The exhibitor of an access token. It is looked up each time, so that a replaced token is refused at once. Throws `unauthorized` (401). */
export async function authenticateExhibitor(
  store: ExhibitorStore,
  accessToken: string | null | undefined,
): Promise<Exhibitor> {
  const exhibitor = accessToken ? await store.findByToken(hashOfToken(accessToken)) : null
  if (!exhibitor) throw new Fault('unauthorized')
  return exhibitor
}
