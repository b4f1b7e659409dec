import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { DrillClient } from '../client.ts'
import type { DrillEvent, ExhibitorAccess } from '../drill-event.ts'
import { inEvent } from '../scanning.ts'

const MAX_BREAK_MS = 60
const LINE = { x1: '0', y1: '0', x2: '40', y2: '20' }

/** Sends leads of an exhibitor and signatures at a door, one after another until `stop`. */
export async function collectOn(
  client: DrillClient,
  { uids, probe }: DrillEvent,
  exhibitor: ExhibitorAccess,
  chance: Random,
  stop: AbortSignal,
): Promise<void> {
  const { record } = client
  for (let n = 0; !stop.aborted; n++) {
    const guest_uid = chance.pick(uids)
    const isLead = n % 2 === 0
    const path = isLead
      ? `devices/${exhibitor.access_token}/connections/batch_create.json`
      : inEvent('signatures/batch_create.json')
    const signature = { guest_uid, accesspoint_id: probe.point, access_stamp: new Date().toISOString() }
    const item = isLead
      ? { guest_uid, author: 'Ada' }
      : { ...signature, points: { width: '40', height: '20', lines: [LINE] } }
    const answer = await client.retry('POST', path, [item])
    const kind = isLead ? 'lead' : 'signature'
    if (answer) record.collected.push({ kind, _id: answer.body[0]._id, at: answer.at })
    else record.violation('recovery', 'a device that retried for a minute got no answer', [`${kind} of ${guest_uid}`])
    await sleep(chance.below(MAX_BREAK_MS))
  }
}
