import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { invitationsById, recordEvents } from '../mail-events/recording.ts'
import type { Adapter } from './report.ts'
import type { mailFeedback, ProviderRequest } from './resource.ts'

/** The adapters of mail providers; undefined for those that are not set up. */
export type Adapters = Record<ProviderRequest['provider'], Adapter | undefined>

/** Records a provider's events. */
export async function receive(
  { adapters, ...dependencies }: Dependencies & { adapters: Adapters },
  { body: { provider, headers, recipient, body } }: Call<(typeof mailFeedback)['actions']['receive']>,
): Promise<{ recorded: number }> {
  const adapter = adapters[provider]
  if (!adapter) throw notFound()
  const reports = await adapter({
    headers: new Map(headers.map(({ name, value }) => [name, value])),
    recipient,
    body: Buffer.from(body ?? '', 'base64'),
  })
  const known = await invitationsById(
    dependencies,
    reports.flatMap(({ invitation_id }) => invitation_id ?? []),
  )
  const recorded = reports.flatMap(({ invitation_id, event }) => {
    const invitation = known.get(invitation_id ?? '')
    if (!invitation) return []
    const own = typeof event === 'function' ? event(invitation.address) : event
    return own ? [{ invitation, event: own }] : []
  })
  await recordEvents(dependencies, recorded)
  return { recorded: recorded.length }
}
