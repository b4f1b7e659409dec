import type { Receiver } from '@gatehouse/test/harness/receiver.ts'
import type { DrillClient } from '../client.ts'
import { acceptanceBy, type InvitedGuest, pageOf } from '../mail/accepting.ts'
import type { MailRecount } from '../mail/mail-comparing.ts'
import type { FaultyMailServer } from '../mail/mail-server.ts'
import type { DrillRecord } from '../record.ts'
import { inEvent } from '../scanning.ts'
import type { Moments } from './undoing.ts'

/** Recipients who accept. */
const ACCEPTED = 5

/** Opens the links of e-mails that had left before the backup began, and accepts some of these invitations. Returns the `uid`s of the new guests. */
export async function acceptByLinks(
  client: DrillClient,
  { links, attempts }: FaultyMailServer,
  { byCampaign }: MailRecount,
  { begun }: Moments,
): Promise<{ guests: string[]; line: string }> {
  const taken = new Set(attempts.filter(({ at, isTaken }) => isTaken && at < begun).map(({ id }) => id))
  const known = new Set([...byCampaign.values()].flatMap(({ listed }) => listed.map(({ _id }) => _id)))
  const opened = links.filter(({ id }) => taken.has(id))
  const guests: string[] = []
  const wrong = (kind: string, what: string): void => client.record.violation('links', kind, [what])
  for (const link of opened) {
    const page = pageOf(link)
    const { address } = link
    const { status } = await client.ask('GET', page)
    if (status !== 200) wrong('the link of an e-mail is not known', `${page}: ${status}`)
    // Shared ones are invited by several campaigns, each of which may make a guest of them.
    if (guests.length >= ACCEPTED || !known.has(link.id) || address.startsWith('shared-')) continue
    const answer = await client.ask(...acceptanceBy(link))
    if (answer.status !== 200) wrong('an invitation cannot be accepted', `${page}: ${answer.status}`)
    const search = inEvent(`guests.json?search=${encodeURIComponent(address)}`)
    const found = ((await client.read(search)) as InvitedGuest[]).filter(({ email }) => email === address)
    if (found.length !== 1) wrong('who has accepted is not one guest', `${page}: ${found.length} guests`)
    guests.push(...found.map(({ uid }) => uid))
  }
  return { guests, line: `${opened.length} links of e-mails, and ${guests.length} acceptances with the guests` }
}

/** What a webhook had got, and its delivery was settled, before the backup began does not come again. Returns what did, as it may. */
export function compareRepeated(record: DrillRecord, { received }: Receiver): number {
  const { settled, killed } = record.delivered
  const ids = received.map(({ json }) => json.data._id as string)
  const before = new Set(ids.slice(0, settled))
  const between = new Set(ids.slice(settled, killed))
  const after = ids.slice(killed)
  for (const id of after.filter((id) => before.has(id)))
    record.violation('repeated', 'a webhook got again what it had got before the backup began', [id])
  return after.filter((id) => between.has(id)).length
}
