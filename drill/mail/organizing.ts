import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { DrillClient } from '../client.ts'
import { now } from '../record.ts'
import { inEvent } from '../scanning.ts'
import type { MailDrillEvent } from './campaigns.ts'
import type { FaultyMailServer } from './mail-server.ts'

const HALT_MS = 2_000
const MAX_BREAK_MS = 800

/** Stops partners for a while, blocks recipients, and unsubscribes some who have an e-mail, one after another until `stop`. */
export async function organize(
  client: DrillClient,
  { partners }: MailDrillEvent,
  server: FaultyMailServer,
  chance: Random,
  stop: AbortSignal,
): Promise<void> {
  const { record } = client
  const missing = (what: string): void =>
    record.violation('recovery', 'a change that was retried for a minute got no answer', [what])
  while (!stop.aborted) {
    client.turn()
    const kind = chance.next()
    const partner = chance.pick(partners)
    if (kind < 0.3) {
      const path = inEvent(`partners/${partner.id}.json`)
      let tried = 0
      const counted = { tries: () => tried++ }
      const halted = await client.retry('PUT', path, { disable_emails: true }, undefined, counted)
      if (halted) {
        await sleep(chance.below(HALT_MS))
        record.halts.push({ partner: partner.id, from: halted.at, to: now(), tried })
      } else missing('disable_emails')
      if (!(await client.retry('PUT', path, { disable_emails: false }))) missing('disable_emails')
    } else if (kind < 0.7) {
      const address = chance.pick(chance.pick(partner.campaigns).recipients)
      const isBlocked = record.stops.some((each) => each.why === 'blocked' && each.address === address)
      if (!isBlocked) {
        const key = crypto.randomUUID()
        const blocked = await client.retry('POST', inEvent('blocked_recipients.json'), { address }, key)
        if (blocked) record.stops.push({ why: 'blocked', address, at: blocked.at })
        else missing('a blocked recipient')
      }
    } else {
      const link = server.links.shift()
      if (link) {
        const answered = await client.retry('POST', new URL(link.url).pathname)
        if (answered) record.stops.push({ why: 'unsubscribed', address: link.address, at: answered.at })
        else missing('an unsubscription')
      }
    }
    await sleep(chance.below(MAX_BREAK_MS))
  }
}
