import type { statistics } from '@gatehouse/guests/resources'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'

/** A check-in as the interface lists it. */
export interface StoredCheckIn {
  _id: string
  guest_uid: string
  persons?: number
  direction?: string
  accesspoint_id: string
  access_status: number
  access_stamp: string
  /** Absent where the stamp is the server's. */
  created_at?: string
}

type RecountedCheckIn = Omit<StoredCheckIn, '_id'>

const DAY_MS = 24 * 3_600_000

/** The fields of a guest that the statistics depend on. */
export interface CountedGuest {
  uid: string
  guest_category_id: string
  party_size?: number
}

/** The fields of check-in points and areas that the statistics depend on. */
export interface CountedPlaces {
  points: { _id: string; area_id?: string | null }[]
  areas: { _id: string; capacity?: number | null }[]
}

const NO_AREAS: CountedPlaces = { points: [], areas: [] }

/** The counts of statistics, without signatures. */
type Recount = Omit<Output<typeof statistics.actions.read>, 'signature_count' | 'timeline'> & {
  timeline: { minute: string; granted: number; refused: number }[]
}

/**
 * The statistics of an event with these check-ins, guests, categories and areas, counted without the system (docs/interface.md 4.8, 8.28).
 * Without areas all are inside the event as a whole.
 */
export function recountOf(
  checkIns: RecountedCheckIn[],
  guests: CountedGuest[],
  categories: string[],
  { points, areas }: CountedPlaces = NO_AREAS,
): Recount {
  const entries = checkIns.filter(({ direction }) => direction !== 'out')
  const inside = admitted(entries)
  const parties = new Map(guests.map(({ uid, party_size = 1 }) => [uid, party_size]))
  const times = checkIns.map(momentOf)
  const from = times.reduce((latest, time) => Math.max(latest, time), Number.NEGATIVE_INFINITY) - DAY_MS
  const lastDay = checkIns.filter((_, index) => (times[index] as number) >= from)
  return {
    guest_count: guests.length,
    check_in_count: checkIns.length,
    checked_in_guest_count: inside.size,
    person_count: personsIn(entries, parties),
    ...occupancies(checkIns, parties, { points, areas }),
    by_status: [0, 1, 2, 3].map((access_status) => ({
      access_status,
      count: checkIns.filter((checkIn) => checkIn.access_status === access_status).length,
    })),
    by_accesspoint: [...Map.groupBy(checkIns, ({ accesspoint_id }) => accesspoint_id)].map(
      ([accesspoint_id, here]) => ({
        accesspoint_id,
        ...split(here),
        unique_guests: admitted(here).size,
        person_count: personsIn(here, parties),
      }),
    ),
    by_guest_category: categories.map((guest_category_id) => {
      const members = guests.filter((guest) => guest.guest_category_id === guest_category_id)
      return {
        guest_category_id,
        guest_count: members.length,
        checked_in_guest_count: members.filter(({ uid }) => inside.has(uid)).length,
        person_count: personsIn(
          entries.filter(({ guest_uid }) => members.some(({ uid }) => uid === guest_uid)),
          parties,
        ),
      }
    }),
    timeline: [...Map.groupBy(lastDay, (each) => `${new Date(momentOf(each)).toISOString().slice(0, 16)}:00.000Z`)]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([minute, here]) => ({ minute, ...split(here) })),
  }
}

/** When a check-in counts as made: at its receipt if the device's clock was ahead. */
function momentOf({ access_stamp, created_at }: RecountedCheckIn): number {
  return Math.min(Date.parse(access_stamp), Date.parse(created_at ?? access_stamp))
}

/** The persons let in: of each guest at most as many as the party has. All of a guest who is gone. */
function personsIn(checkIns: RecountedCheckIn[], parties: Map<string, number>): number {
  const granted = checkIns.filter(({ access_status }) => access_status === 0)
  return [...Map.groupBy(granted, ({ guest_uid }) => guest_uid)].reduce((sum, [uid, ofGuest]) => {
    const persons = ofGuest.reduce((all, { persons = 1 }) => all + persons, 0)
    return sum + Math.min(persons, parties.get(uid) ?? persons)
  }, 0)
}

/** Who is inside the event as a whole and each area. */
function occupancies(
  checkIns: RecountedCheckIn[],
  parties: Map<string, number>,
  { points, areas }: CountedPlaces,
): Pick<Recount, 'inside_count' | 'by_area'> {
  const areaOf = new Map(points.map(({ _id, area_id }) => [_id, area_id]))
  const granted = checkIns.filter(({ access_status }) => access_status === 0)
  const byArea = Map.groupBy(granted, ({ accesspoint_id }) => areaOf.get(accesspoint_id) ?? null)
  return {
    inside_count: occupancyOf(byArea.get(null) ?? [], parties).inside,
    by_area: areas.map(({ _id, capacity = null }) => {
      const { inside, peak } = occupancyOf(byArea.get(_id) ?? [], parties)
      return { area_id: _id, inside_count: inside, capacity, peak_count: peak }
    }),
  }
}

/** How many persons are inside after the granted check-ins of an area, and the most that were after any moment. */
function occupancyOf(granted: RecountedCheckIn[], parties: Map<string, number>): { inside: number; peak: number } {
  const stampOf = ({ access_stamp }: RecountedCheckIn): number => Date.parse(access_stamp)
  const isExit = ({ direction }: RecountedCheckIn): number => (direction === 'out' ? 1 : 0)
  const inOrder = granted.toSorted((one, other) => stampOf(one) - stampOf(other) || isExit(one) - isExit(other))
  const insideOf = new Map<string, number>()
  let [inside, peak] = [0, 0]
  for (const [index, checkIn] of inOrder.entries()) {
    const { guest_uid, persons = 1 } = checkIn
    const before = insideOf.get(guest_uid) ?? 0
    const after = isExit(checkIn)
      ? Math.max(0, before - persons)
      : Math.min(before + persons, parties.get(guest_uid) ?? Number.POSITIVE_INFINITY)
    insideOf.set(guest_uid, after)
    inside += after - before
    const next = inOrder[index + 1]
    if (!next || stampOf(next) > stampOf(checkIn)) peak = Math.max(peak, inside)
  }
  return { inside, peak }
}

/** The uids with a granted check-in. */
function admitted(checkIns: RecountedCheckIn[]): Set<string> {
  return new Set(checkIns.filter(({ access_status }) => access_status === 0).map(({ guest_uid }) => guest_uid))
}

function split(checkIns: RecountedCheckIn[]): { granted: number; refused: number } {
  const granted = checkIns.filter(({ access_status }) => access_status === 0).length
  return { granted, refused: checkIns.length - granted }
}

/** Things that were compared: how many, and the differences, a line each. */
export interface Comparison {
  what: string
  compared: number
  differences: string[]
}

/** Compares counts field by field and lists in any order; ignores fields that are not in `expected`. */
export function compareCounts(what: string, expected: object, given: object): Comparison {
  const wanted = flatten(expected)
  const found = flatten(Object.fromEntries(Object.entries(given).filter(([name]) => name in expected)))
  const differences = [...new Set([...wanted.keys(), ...found.keys()])].flatMap((name) =>
    wanted.get(name) === found.get(name)
      ? []
      : [`${name}: expected ${wanted.get(name) ?? 'none'}, found ${found.get(name) ?? 'none'}`],
  )
  return { what, compared: wanted.size, differences }
}

const KEYS = new Set(['access_status', 'accesspoint_id', 'guest_category_id', 'minute', 'area_id'])

/** `{by_status: [{access_status: 1, count: 2}]}` as `by_status 1 count` → 2. */
function flatten(counts: object): Map<string, number> {
  const flat = new Map<string, number>()
  for (const [name, value] of Object.entries(counts) as [string, number | Record<string, number | string>[]][]) {
    if (typeof value === 'number') flat.set(name, value)
    else
      for (const item of value) {
        const key = Object.keys(item).find((each) => KEYS.has(each))!
        for (const [field, held] of Object.entries(item))
          if (field !== key) flat.set(`${name} ${item[key]} ${field}`, Number(held))
      }
  }
  return flat
}
