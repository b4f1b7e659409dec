import { randomBytes } from 'node:crypto'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { auditRecords } from './permissions.ts'
import { retried } from './retry.ts'

/** An act of the command line, which asks services in pieces that are no acts by themselves. */
export type OwnAct =
  | 'guests.events.export'
  | 'guests.events.import'
  | 'guests.guests.import'
  | 'guests.guests.export'
  | 'checkin.access_controls.import'
  | 'checkin.access_controls.export'
  | 'promo.promo_codes.import'

/** Records an act on an event in the audit log, before it begins: nothing is written or read without a record. */
export async function recordAct(
  bus: Bus,
  { account_id, token_id }: Caller,
  action: OwnAct,
  event_id: string,
): Promise<void> {
  const act = {
    ...{ _id: randomBytes(12).toString('hex'), account_id, action, event_id, resource_id: event_id },
    ...{ token_id, token_name: null, address: null, changed_fields: [], items: null },
    outcome: 'done',
    created_at: new Date(),
  } as const
  await retried(() => clientOf(bus, auditRecords).take({ body: [act] }))
}
