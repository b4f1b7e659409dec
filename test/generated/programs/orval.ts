import { accessControlsCreate, eventsRead } from '../orval/client.js'
import type { Given, Learned } from '../program.js'

export async function run({ token, event_id, accesspoint_id, guest_uid }: Given): Promise<Learned> {
  const options = { headers: { authorization: `Bearer ${token}` } }
  const done = await accessControlsCreate(event_id, { accesspoint_id, guest_uid }, options)
  if (done.status !== 201) throw new Error('error' in done.data ? done.data.error : 'The check-in is not valid')
  const refused = await accessControlsCreate(event_id, { accesspoint_id: '', guest_uid }, options)
  if (refused.status !== 422) throw new Error('A check-in without a check-in point is refused')
  const missing = await eventsRead('none', options)
  if (missing.status !== 404) throw new Error('There is no such event')
  return { access_status: done.data.access_status, errors: refused.data.errors, error: missing.data.error }
}
