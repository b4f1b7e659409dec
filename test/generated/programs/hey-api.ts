import { client } from '../hey-api/client.gen.js'
import { accessControlsCreate, eventsRead } from '../hey-api/index.js'
import type { Given, Learned } from '../program.js'

export async function run({ url, token, event_id, accesspoint_id, guest_uid }: Given): Promise<Learned> {
  client.setConfig({ baseUrl: url, auth: token })
  const path = { event_id }
  const done = await accessControlsCreate({ path, body: { accesspoint_id, guest_uid } })
  if (!done.data) throw new Error('error' in done.error ? done.error.error : 'The check-in is not valid')
  const refused = await accessControlsCreate({ path, body: { accesspoint_id: '', guest_uid } })
  if (!refused.error || !('errors' in refused.error)) throw new Error('A check-in without a check-in point is refused')
  const missing = await eventsRead({ path: { event_id: 'none' } })
  if (!missing.error) throw new Error('There is no such event')
  return { access_status: done.data.access_status, errors: refused.error.errors, error: missing.error.error }
}
