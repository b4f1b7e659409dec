import createClient from 'openapi-fetch'
import type { paths } from '../openapi-fetch/openapi.js'
import type { Given, Learned } from '../program.js'

export async function run({ url, token, event_id, accesspoint_id, guest_uid }: Given): Promise<Learned> {
  const client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${token}` } })
  const params = { path: { event_id } }
  const path = '/api/v1/events/{event_id}/access_controls.json'
  const done = await client.POST(path, { params, body: { accesspoint_id, guest_uid } })
  if (!done.data) throw new Error('error' in done.error ? done.error.error : 'The check-in is not valid')
  const refused = await client.POST(path, { params, body: { accesspoint_id: '', guest_uid } })
  if (!refused.error || !('errors' in refused.error)) throw new Error('A check-in without a check-in point is refused')
  const missing = await client.GET('/api/v1/events/{event_id}.json', { params: { path: { event_id: 'none' } } })
  if (!missing.error) throw new Error('There is no such event')
  return { access_status: done.data.access_status, errors: refused.error.errors, error: missing.error.error }
}
