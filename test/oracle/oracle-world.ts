import { statusBy } from '@gatehouse/cli/demo/decision-table.ts'
import { expect } from 'vitest'
import {
  type DecisionVector,
  OwnScans,
  type VectorGuest,
  type VectorLink,
  type VectorOutcome,
  type VectorScan,
  type VectorWorld,
} from './decision-vectors.ts'

/** A granted scan. */
interface Granted {
  uid: string
  at: string
  persons: number
  /** In ms. */
  moment: number
}

/** What a decision depends on: the door knows all of it, a device a copy. */
interface Known {
  links: Record<string, VectorLink>
  guests: Record<string, VectorGuest>
  granted: (Granted | null)[]
}

/** The oracle's door, and devices that have copies of what it knows. */
export class OracleWorld implements VectorWorld {
  readonly #vector: DecisionVector
  readonly #door: Known = { links: {}, guests: {}, granted: [] }
  readonly #devices = new Map<string, { known: Known; scans: OwnScans }>()

  constructor(vector: DecisionVector) {
    this.#vector = vector
  }

  async setLink(link: VectorLink): Promise<void> {
    const key = `${link.point} ${link.category}`
    if (link.limit === null) delete this.#door.links[key]
    else this.#door.links[key] = link
  }

  async setGuest(uid: string, guest: VectorGuest | null): Promise<void> {
    if (guest) this.#door.guests[uid] = guest
    else delete this.#door.guests[uid]
  }

  async scan(scan: VectorScan): Promise<VectorOutcome> {
    const uid = uidIn(this.#door, scan.uid)
    const { granted } = this.#door
    const outcome = outcomeOf(this.#vector, this.#door, { ...scan, uid })
    if (outcome.access_status === 0)
      granted.push({ uid, at: scan.at, persons: outcome.persons, moment: momentOf(scan, granted.length) })
    return outcome
  }

  async deleteGranted(nth: number): Promise<void> {
    this.#door.granted[nth] = null
  }

  async snapshot(device: string): Promise<void> {
    const scans = this.#devices.get(device)?.scans ?? new OwnScans()
    scans.counted()
    this.#devices.set(device, { known: structuredClone(this.#door), scans })
  }

  async decide(device: string, scan: VectorScan): Promise<VectorOutcome> {
    const { known, scans } = this.#devices.get(device) ?? expect.fail(device)
    const made = { ...scan, uid: uidIn(known, scan.uid) }
    const own = scans.uncounted(made.uid, new Set()).map(({ accesspoint_id, persons, at }) => {
      return { uid: made.uid, at: accesspoint_id, persons, moment: at < 1e6 ? known.granted.length + at : at }
    })
    const outcome = outcomeOf(this.#vector, { ...known, granted: [...known.granted, ...own] }, made)
    scans.add(made, outcome)
    return outcome
  }

  async upload(device: string): Promise<number[]> {
    const waiting = this.#devices.get(device)?.scans.takeWaiting() ?? []
    const outcomes: VectorOutcome[] = []
    for (const scan of waiting) outcomes.push(await this.scan(scan))
    return outcomes.map(({ access_status }) => access_status)
  }
}

/** When a scan happens: without a stamp, after all before it. */
function momentOf({ stamp }: VectorScan, number: number): number {
  return stamp === undefined ? number : Date.parse(stamp)
}

/** The uid that a scanned text stands for: the text itself where a guest has it, else without blanks and zero-width characters at its ends. */
function uidIn({ guests }: Known, text: string): string {
  return text in guests ? text : text.replace(/^[\s\0\u200b-\u200f\u2060]+|[\s\0\u200b-\u200f\u2060]+$/g, '')
}

function outcomeOf(vector: DecisionVector, known: Known, scan: VectorScan): VectorOutcome {
  const { uid, at, stamp } = scan
  const guest = known.guests[uid]
  const isExit = vector.points?.[at]?.direction === 'out'
  const party = guest?.party ?? 1
  const persons = scan.persons ?? (isExit ? party : 1)
  if (guest && isExit) {
    const doors = [...Object.values(known.links).filter(({ category }) => category === guest.category), ...guest.own]
    const isNear = doors.some(({ point }) => isDoorOf(vector, at, point))
    return { access_status: isNear ? 0 : 2, reason: isNear ? null : 'no_right', persons }
  }
  const link = guest && known.links[`${at} ${guest.category}`]
  const isEarly = link?.valid_from !== undefined && (stamp ?? '') < link.valid_from
  const isLate = link?.valid_until !== undefined && (stamp ?? '') >= link.valid_until
  const limit = isEarly || isLate ? undefined : (link?.limit ?? undefined)
  const own = (guest?.own ?? []).filter(({ point }) => point === at).map(({ once }) => once)
  const isByLink = limit !== undefined && (own.length === 0 || limit === -1 || (!own.includes(false) && limit >= 1))
  const used = (more: number) => usedBy(vector, known, scan, isByLink ? link : undefined, more)
  const rights = { isGuest: guest !== undefined, link: limit, own, party }
  const status = (more: number) => statusBy(rights, used(more) - more, more)
  const access_status = status(persons)
  const early = isEarly ? 'too_early' : 'no_right'
  const reason = [null, 'unknown_guest', isLate ? 'too_late' : early, 'used_up'][access_status] as string | null
  const limits = [...(limit === undefined ? [] : [limit]), ...own.map((once) => (once ? 1 : -1))]
  if (limits.length === 0 || limits.includes(-1)) return { access_status, reason, persons }
  const fits = Array.from({ length: persons }, (_, less) => persons - less).find((more) => status(more) === 0) ?? 0
  const left = access_status === 0 ? Math.max(...limits) * party - used(persons) : fits
  return { access_status, reason, persons_left: left, persons }
}

/** Whether one check-in point is an entrance of the area of another. */
function isDoorOf({ points = {} }: DecisionVector, exit: string, door: string): boolean {
  return points[door]?.direction !== 'out' && points[door]?.area === points[exit]?.area
}

/** How many persons are used with those of a scan: by replaying all that happened, one person after the other. */
function usedBy(
  vector: DecisionVector,
  { granted }: Known,
  scan: VectorScan,
  link: VectorLink | undefined,
  persons: number,
): number {
  const { uid, at } = scan
  const moment = momentOf(scan, granted.length)
  const all = granted.filter((each) => each !== null && each.uid === uid) as Granted[]
  const isCounted = (each: Granted) =>
    each.at === at && (link?.period !== 'day' || dateOf(vector, each.moment) === dateOf(vector, moment))
  if (!link?.reentry) return all.filter(isCounted).reduce((sum, each) => sum + each.persons, persons)
  const { points = {} } = vector
  const history = [...all, { uid, at, persons, moment }]
    .filter((each) => points[each.at]?.area === points[at]?.area)
    .toSorted((one, other) => one.moment - other.moment)
  const inside: boolean[] = []
  let highest = 0
  for (const each of history) {
    for (let person = 0; person < each.persons; person++) {
      if (points[each.at]?.direction === 'out') inside.pop()
      else inside.push(isCounted(each))
    }
    if (each.moment >= moment) highest = Math.max(highest, inside.filter((counted) => counted).length)
  }
  return highest
}

/** The date of the event's day. */
function dateOf({ days = { timezone: 'UTC', day_starts_at: '00:00' } }: DecisionVector, moment: number): string {
  const here = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(days.timezone)
  const date = here.toPlainDate()
  const named = date.toZonedDateTime({ timeZone: days.timezone, plainTime: days.day_starts_at })
  // Clocks that are put forward may skip that time: then the day begins at that moment.
  const isSkipped = !named.toPlainTime().equals(days.day_starts_at)
  const begun = (isSkipped && named.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')) || named
  return String(Temporal.ZonedDateTime.compare(here, begun) < 0 ? date.subtract({ days: 1 }) : date)
}
