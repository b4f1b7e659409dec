import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { DrillClient } from '../client.ts'
import type { DrillRecord } from '../record.ts'
import type { MailRecount } from './mail-comparing.ts'
import type { FaultyMailServer, UnsubscribeLink } from './mail-server.ts'

const MAX_BREAK_MS = 200

/** A guest as found. */
export interface InvitedGuest {
  uid: string
  email: string | null
  last_name: string | null
}

/** The path of the page on which the recipient of an e-mail answers. */
export function pageOf({ url }: UnsubscribeLink): string {
  return new URL(url).pathname.replace(/\/unsubscribe$/, '')
}

/** The request by which the recipient of an e-mail accepts, who may give names. */
export function acceptanceBy(
  link: UnsubscribeLink,
  names: { last_name?: string } = {},
): ['POST', string, URLSearchParams] {
  return ['POST', pageOf(link), new URLSearchParams({ answer: 'accepted', ...names })]
}

/**
 * Accepts invitations by the links of e-mails that were taken, one after another until `stop`: sometimes twice at once, and sometimes once more. Of
 * those who do so at the same time each has another `name`.
 */
export async function acceptOn(
  client: DrillClient,
  server: FaultyMailServer,
  name: string,
  chance: Random,
  stop: AbortSignal,
): Promise<void> {
  const { record } = client
  for (let n = 0; !stop.aborted; ) {
    const link = server.links.shift()
    if (link) {
      client.turn()
      const acceptance = { address: link.address, last_name: `${name}${n++}` }
      const request = acceptanceBy(link, { last_name: acceptance.last_name })
      const times = chance.chance(0.1) ? 2 : 1
      const answers = await Promise.all(Array.from({ length: times }, () => client.retry(...request)))
      if (!answers.some(Boolean))
        record.violation('recovery', 'an acceptance that was retried for a minute got no answer', [link.url])
      record.acceptances.set(link.id, acceptance)
      if (chance.chance(0.1)) await client.ask(...request)
    }
    await sleep(chance.below(MAX_BREAK_MS))
  }
}

/** Compares what recipients were answered with the lists of invitations, and with the guests whom only acceptances make. */
export function compareAcceptances(record: DrillRecord, { byCampaign }: MailRecount, guests: InvitedGuest[]): string {
  const wrong = (kind: string, what: unknown): void => record.violation('invited', kind, [JSON.stringify(what)])
  const byName = Map.groupBy(guests, ({ last_name }) => last_name)
  const listed = new Map([...byCampaign.values()].flatMap(({ listed }) => listed.map((each) => [each._id, each])))
  for (const [id, acceptance] of record.acceptances) {
    const [guest, ...more] = byName.get(acceptance.last_name) ?? []
    byName.delete(acceptance.last_name)
    if (guest?.email !== acceptance.address) wrong('a recipient who has accepted is no guest', { acceptance, guest })
    if (more.length > 0) wrong('a recipient who has accepted is more than one guest', [guest, ...more])
    if (listed.get(id)?.answer !== 'accepted')
      wrong('an answered acceptance is not listed', { acceptance, listed: listed.get(id) })
  }
  for (const guest of [...byName.values()].flat()) wrong('a guest has come of no acceptance', guest)
  for (const each of listed.values())
    if (each.answer !== null && !record.acceptances.has(each._id))
      wrong('an acceptance is listed that nobody gave', each)
  return `${record.acceptances.size} acceptances by links of e-mails with the lists and ${guests.length} guests`
}
