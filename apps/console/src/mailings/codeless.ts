import { client, type Item, read } from '../server/server.ts'
import { hasCode } from './codes.ts'

/** Guests are counted up to this number. */
const MOST = 500

/** Those who have an e-mail address and got no code yet, as the audience of a mailing; and how many they are, if that is known at once. */
export interface Codeless {
  audience: { mailed: false } | { not_in_mailing_id: string } | Record<string, never>
  count: string | undefined
}

/**
 * Looks for those to whom codes are to be sent. What guests tell is whether an e-mail went to them: once there was a mailing without codes, that
 * does not say whether they have theirs.
 */
export async function readCodeless(event_id: string, signal?: AbortSignal): Promise<Codeless> {
  const mailings = await read<Item[]>('/api/v1/events/{event_id}/mailings.json', { event_id }, {}, signal)
  // Those to people who were invited go to no guests.
  const started = mailings.filter(
    ({ started_at, audience }) => started_at !== null && !(audience as Item).invitation_type_id,
  )
  const withCodes = started.find(hasCode)
  if (started.every(hasCode))
    return { audience: { mailed: false }, count: await countOf(event_id, { mailed: false }, signal) }
  if (withCodes) return { audience: { not_in_mailing_id: String(withCodes._id) }, count: undefined }
  return { audience: {}, count: await countOf(event_id, {}, signal) }
}

async function countOf(event_id: string, filter: { mailed?: false }, signal?: AbortSignal): Promise<string> {
  const query = { ...filter, has_email: true, per_page: MOST }
  const { data } = await client.GET('/api/v1/events/{event_id}/guests.json', {
    params: { path: { event_id }, query },
    ...(signal && { signal }),
  })
  return data.length === MOST ? `${MOST}+` : String(data.length)
}
