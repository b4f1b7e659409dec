import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { Client } from './client.ts'
import { sendUntilAnswered } from './load.ts'
import { now, type Place, type Record } from './record.ts'
import { inEvent } from './scanning.ts'
import { make, makeLink } from './venue.ts'

const GUESTS = 20
const LIMITS = [-1, 0, 1, 2, 3]
const LONGEST_BREAK_MS = 40
/** A change that was not answered may yet come through for this long; nothing is changed meanwhile. */
const LINGERING_MS = 15_000

/**
 * Changes the rights of guests whom nobody else scans, at a point of their own, one thing after another, and scans them: a change
 * that was answered must be seen by each scan that is sent afterwards, by the decision table.
 */
export async function changeOn(
  client: Client,
  record: Record,
  name: string,
  chance: Random,
  stop: AbortSignal,
): Promise<void> {
  const [linked, unlinked] = [
    await make(client, 'guest_categories', { name: `${name} linked` }),
    await make(client, 'guest_categories', { name: `${name} unlinked` }),
  ]
  const point = await make(client, 'accesspoints', { name })
  const link = await makeLink(client, linked, point, 1)
  let limit = 1
  const guests = await Promise.all(
    Array.from({ length: GUESTS }, async (_, n) => {
      const uid = `${name}-${n}`
      const place: Place = { uid, point, limit: undefined, refusal: 3 }
      const id = await make(client, 'guests', { guest_category_id: linked, uid })
      return { id, place, isLinked: true, used: 0, told: [] as string[] }
    }),
  )
  let quietUntil = 0
  /** Whether the change was answered; from then on it holds. */
  const change = async (path: string, body: object): Promise<boolean> => {
    let tries = 0
    const answer = await client.insist('PUT', inEvent(path), body, undefined, { tries: () => tries++ })
    if (tries > 1) quietUntil = now() + LINGERING_MS
    return answer !== undefined
  }
  while (!stop.aborted) {
    const guest = chance.pick(guests)
    const kind = now() < quietUntil ? 1 : chance.next()
    if (kind < 0.15) {
      const next = chance.pick(LIMITS)
      if (!(await change(`guest_category_accesspoints/${link}.json`, { max_allowed_accesses: next }))) return
      limit = next
      for (const { told } of guests) told.push(`${Math.round(now())} ms: limit ${next} was answered`)
    } else if (kind < 0.35) {
      const guest_category_id = guest.isLinked ? unlinked : linked
      if (!(await change(`guests/${guest.id}.json`, { guest_category_id }))) return
      guest.isLinked = !guest.isLinked
      guest.told.push(`${Math.round(now())} ms: ${guest.isLinked ? 'linked' : 'unlinked'} category was answered`)
    } else {
      const scan = record.scan(guest.place, 'keyed')
      if (!(await sendUntilAnswered(client, scan, crypto.randomUUID(), chance))) return
      const expected = !guest.isLinked ? 2 : limit === -1 || guest.used < limit ? 0 : 3
      const given = scan.answers[0]?.status
      guest.told.push(
        `${Math.round(scan.sent[0] ?? 0)} ms: scan ${scan.stamp}, sent ${scan.sent.length} times, answered ${given} at ${Math.round(scan.answers[0]?.at ?? 0)} ms, expected ${expected} (${guest.used} used)`,
      )
      if (given !== expected)
        record.violation('a change of rights is not seen', [guest.place.uid, ...guest.told.slice(-12)])
      if (given === 0) guest.used++
    }
    await sleep(chance.below(LONGEST_BREAK_MS))
  }
}
