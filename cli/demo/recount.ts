import { allPages } from '../pages.ts'
import type { Api } from './api.ts'
import type { Answer } from './arrivals.ts'
import type { DemoEvent } from './event.ts'
import { allowance, type DemoGuest, type DoorName } from './plan.ts'

/** A check-in as the interface lists it. */
export interface StoredCheckIn {
  _id: string
  guest_uid: string
  accesspoint_id: string
  access_status: number
  access_stamp: string
}

/** One thing that was compared, over how many, and where it differs. */
export interface Comparison {
  what: string
  compared: number
  differences: string[]
}

const GRANTED = 0
const UNKNOWN = 1
const NOT_AUTHORIZED = 2
const TOO_MANY = 3

/** Compares what the scanners were answered with what the system has stored and counts. */
export async function recount(
  api: Api,
  demoEvent: DemoEvent,
  guests: DemoGuest[],
  answers: Answer[],
): Promise<Comparison[]> {
  const path = `events/${demoEvent.event_id}`
  const stored: StoredCheckIn[] = []
  const pages = allPages<StoredCheckIn>(({ page, per_page }) =>
    api.read(`${path}/access_controls`, `?page=${page}&per_page=${per_page}`),
  )
  for await (const checkIn of pages) stored.push(checkIn)
  const [event, statistics] = [await api.read<object>(path), await api.read<object>(`${path}/statistics`)]
  return [
    compareStored(answers, stored, demoEvent.doorIds),
    compareAllowances(answers, guests),
    compareCounts('event counts equal a recount', eventCounts(guests, answers), event),
    compareCounts('statistics equal a recount', statisticsOf(guests, answers, demoEvent), statistics),
  ]
}

/** Every answered check-in is stored as it was answered, and nothing else is. */
export function compareStored(
  answers: Answer[],
  stored: StoredCheckIn[],
  doorIds: ReadonlyMap<DoorName, string>,
): Comparison {
  const differences: string[] = []
  const byId = new Map(stored.map((checkIn) => [checkIn._id, checkIn]))
  if (byId.size < stored.length) differences.push(`${stored.length - byId.size} are listed more than once`)
  const answered = new Set(answers.map(({ _id }) => _id))
  if (answered.size < answers.length) differences.push(`${answers.length - answered.size} answers share an id`)
  for (const { _id, access_status, access_stamp, scan } of answers) {
    const found = byId.get(_id)
    if (!found) differences.push(`${_id} was answered with ${access_status} and is not stored`)
    else if (found.access_status !== access_status) {
      differences.push(`${_id} was answered with ${access_status} and is stored with ${found.access_status}`)
    } else if (
      found.guest_uid !== scan.uid ||
      found.accesspoint_id !== doorIds.get(scan.door) ||
      Date.parse(found.access_stamp) !== Date.parse(access_stamp)
    ) {
      differences.push(`${_id} is stored as another scan`)
    }
  }
  for (const { _id } of stored) if (!answered.has(_id)) differences.push(`${_id} is stored and was never answered`)
  return { what: 'answered check-ins are those stored', compared: answers.length, differences }
}

/** Everybody got in as often as allowed and no oftener, and every refusal has its reason. */
export function compareAllowances(answers: Answer[], guests: DemoGuest[]): Comparison {
  const categoryOf = new Map(guests.map(({ uid, category }) => [uid, category]))
  const places = Map.groupBy(answers, ({ scan }) => `${scan.uid} at ${scan.door}`)
  const differences: string[] = []
  for (const [place, here] of places) {
    const { uid, door } = here[0]!.scan
    const category = categoryOf.get(uid)
    const allowed = category && allowance(category, door)
    const expected: number[] = here.map((_, index) => {
      if (!category) return UNKNOWN
      if (allowed === undefined) return NOT_AUTHORIZED
      return allowed === -1 || index < allowed ? GRANTED : TOO_MANY
    })
    const given = here.map(({ access_status }) => access_status).sort()
    if (given.join() !== expected.join()) differences.push(`${place}: expected ${expected}, answered ${given}`)
  }
  return { what: 'guests at doors got in as often as allowed', compared: places.size, differences }
}

function eventCounts(guests: DemoGuest[], answers: Answer[]): object {
  return { guest_count: guests.length, check_in_count: answers.length, signature_count: 0 }
}

/** The statistics as they must be, counted from the answers alone. */
function statisticsOf(guests: DemoGuest[], answers: Answer[], { doorIds, categoryIds }: DemoEvent): object {
  const granted = answers.filter(({ access_status }) => access_status === GRANTED)
  const inside = new Set(granted.map(({ scan }) => scan.uid))
  return {
    ...eventCounts(guests, answers),
    checked_in_guest_count: inside.size,
    by_status: [GRANTED, UNKNOWN, NOT_AUTHORIZED, TOO_MANY].map((access_status) => ({
      access_status,
      count: answers.filter((answer) => answer.access_status === access_status).length,
    })),
    by_accesspoint: [...doorIds].flatMap(([door, accesspoint_id]) => {
      const grantedHere = granted.filter(({ scan }) => scan.door === door)
      const all = answers.filter(({ scan }) => scan.door === door).length
      if (all === 0) return []
      return {
        accesspoint_id,
        granted: grantedHere.length,
        refused: all - grantedHere.length,
        unique_guests: new Set(grantedHere.map(({ scan }) => scan.uid)).size,
      }
    }),
    by_guest_category: [...categoryIds].map(([category, guest_category_id]) => {
      const members = guests.filter((guest) => guest.category === category)
      return {
        guest_category_id,
        guest_count: members.length,
        checked_in_guest_count: members.filter(({ uid }) => inside.has(uid)).length,
      }
    }),
    timeline: [...Map.groupBy(answers, ({ access_stamp }) => `${access_stamp.slice(0, 16)}:00.000Z`)].map(
      ([minute, here]) => {
        const grantedThen = here.filter(({ access_status }) => access_status === GRANTED).length
        return { minute, granted: grantedThen, refused: here.length - grantedThen }
      },
    ),
  }
}

/** Compares counts field by field, lists whatever their order; fields that nothing is known of are left aside. */
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

/** `{by_status: [{access_status: 1, count: 2}]}` as `by_status 1 count` → 2: the first field of a list's items names them. */
function flatten(counts: object): Map<string, number> {
  const flat = new Map<string, number>()
  for (const [name, value] of Object.entries(counts) as [string, number | Record<string, number | string>[]][]) {
    if (typeof value === 'number') flat.set(name, value)
    else {
      for (const item of value) {
        const key = Object.keys(item).find((each) => KEYS.has(each))!
        for (const [field, held] of Object.entries(item)) {
          if (field !== key) flat.set(`${name} ${item[key]} ${field}`, Number(held))
        }
      }
    }
  }
  return flat
}

const KEYS = new Set(['access_status', 'accesspoint_id', 'guest_category_id', 'minute'])
