import { setTimeout as sleep } from 'node:timers/promises'
import type { DrillClient } from '../client.ts'
import type { DrillRecord } from '../record.ts'
import { type InjectedFault, now } from '../record.ts'
import type { MailDrillEvent } from './campaigns.ts'
import { type ListedInvitation, type MailRecount, recount } from './mail-comparing.ts'
import type { HandOverAttempt } from './mail-server.ts'

/** How long confirmations may take when the load is over: a claim of a process that died ends after two minutes, a partner's pause after one. */
const CONFIRMED_MS = 200_000
const LOOK_MS = 1_000
/** A mail process that has handed a confirmation over and did not die says so within this time. */
const REPORTED_MS = 20_000

/** A confirmation that is to come, and what is known of it. */
interface Expected {
  listed: ListedInvitation
  attempts: HandOverAttempt[]
  /** It may be missing: the recipient may get no e-mails any more, or the mail server has refused it. */
  isExcused: boolean
}

/** The confirmations that are to come for answered acceptances, by invitation. */
function expectedOf(
  record: DrillRecord,
  attempts: readonly HandOverAttempt[],
  { byCampaign }: MailRecount,
  confirming: ReadonlySet<string>,
): Map<string, Expected> {
  const byId = Map.groupBy(attempts, ({ id }) => id)
  // A recipient is refused before the message says which confirmation it is.
  const refused = attempts.filter(({ end }) => end === 'refused').map(({ address }) => address)
  const excused = new Set([...refused, ...record.stops.map(({ address }) => address)])
  const expected = new Map<string, Expected>()
  for (const { campaign, listed } of byCampaign.values()) {
    if (!confirming.has(campaign.category ?? '')) continue
    for (const each of listed) {
      if (!record.acceptances.has(each._id)) continue
      const isExcused = excused.has(each.email)
      expected.set(each._id, { listed: each, attempts: byId.get(each._id) ?? [], isExcused })
    }
  }
  return expected
}

/** Waits until the confirmations of all answered acceptances are noted, or should have been. */
export async function confirmed(
  client: DrillClient,
  event: MailDrillEvent,
  attempts: readonly HandOverAttempt[],
  confirming: ReadonlySet<string>,
): Promise<void> {
  const { record, phase } = client
  const until = now() + CONFIRMED_MS * record.slack
  for (;;) {
    const expected = [...expectedOf(record, attempts, await recount(client, event), confirming).values()]
    const missing = expected.filter(({ listed, isExcused }) => listed.confirmed_at === null && !isExcused)
    if (missing.length === 0 || now() > until) return
    phase.waitFor(`${missing.length} confirmations, e.g. to ${missing[0]?.listed.email}`)
    await sleep(LOOK_MS, undefined, { signal: phase.signal })
  }
}

/**
 * Compares the confirmations that the mail server took with the acceptances: one for each guest of a category that has them. One more may come
 * where it is unknown whether the one before was taken: its answer got lost, or there was a fault before that was noted.
 */
export function compareConfirmations(
  record: DrillRecord,
  attempts: readonly HandOverAttempt[],
  counted: MailRecount,
  confirming: ReadonlySet<string>,
): string {
  const expected = expectedOf(record, attempts, counted, confirming)
  const wrong = (kind: string, each: Expected): void =>
    record.violation('confirmed', kind, [JSON.stringify(each.listed), ...each.attempts.map(say)])
  let repeated = 0
  for (const each of expected.values()) {
    const taken = each.attempts.filter(({ isTaken }) => isTaken)
    if (each.listed.confirmed_at === null && !each.isExcused) wrong('a guest got no confirmation', each)
    if (each.listed.confirmed_at !== null && taken.length === 0)
      wrong('a confirmation is listed that the mail server did not take', each)
    repeated += Math.max(0, taken.length - 1)
    if (taken.slice(0, -1).some((one) => !isUnknown(one, record.faults))) wrong('a confirmation came again', each)
  }
  const strange = attempts.filter(({ id, isTaken }) => isTaken && !expected.has(id))
  for (const each of strange) record.violation('confirmed', 'a confirmation went to no guest who gets one', [say(each)])
  return `${expected.size} guests with their confirmations, of which ${repeated} came again after a fault or a lost answer`
}

/** Whether it may be unknown to the system that an e-mail was taken. */
function isUnknown({ at, end }: HandOverAttempt, faults: readonly InjectedFault[]): boolean {
  return end === 'cut' || faults.some(({ from, to, back = to }) => from <= at + REPORTED_MS && Math.max(to, back) >= at)
}

function say({ address, id, at, isTaken, end }: HandOverAttempt): string {
  return `${address}, ${id}, at ${Math.round(at)} ms: ${isTaken ? 'taken' : 'not taken'}${end ? `, ${end}` : ''}`
}
