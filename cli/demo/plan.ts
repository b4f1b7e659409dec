import { type DemoPerson, makePerson } from './people.ts'
import { Random } from './random.ts'

/** The check-in points of the demo. */
export const doors = ['Main entrance', 'Workshop hall', 'Backstage'] as const
export type DoorName = (typeof doors)[number]

/** The guest categories of the demo, with their limits by door; no entry: no access, -1: no limit. */
export const access = {
  Visitor: { 'Main entrance': 1, 'Workshop hall': 3 },
  Exhibitor: { 'Main entrance': -1, 'Workshop hall': -1 },
  Press: { 'Main entrance': 3, 'Workshop hall': 1 },
  Speaker: { 'Main entrance': 3, 'Workshop hall': -1, Backstage: 3 },
  Crew: { 'Main entrance': -1, 'Workshop hall': -1, Backstage: -1 },
} as const satisfies Record<string, Partial<Record<DoorName, number>>>
export type CategoryName = keyof typeof access

/** The limit of a category at a door; undefined: no access. */
export function allowance(category: CategoryName, door: DoorName): number | undefined {
  return (access[category] as Partial<Record<DoorName, number>>)[door]
}

/** A guest of the demo. */
export interface DemoGuest extends DemoPerson {
  uid: string
  category: CategoryName
}

/** A scan of a code, `at` seconds after the doors open. */
export interface PlannedScan {
  at: number
  door: DoorName
  uid: string
}

/** The guests and their scans. */
export interface DemoPlan {
  guests: DemoGuest[]
  /** In order of time. */
  scans: PlannedScan[]
}

/** How long the arrivals take, in seconds of the event. */
export const HALF_HOUR = 1_800

const shares: Record<CategoryName, number> = { Visitor: 78, Exhibitor: 9, Press: 5, Speaker: 3, Crew: 5 }

/**
 * Makes up an event, the same for the same seed and number of guests. Most guests arrive in one rush around the middle of the half hour, some at
 * any time, a few never. Some codes are scanned twice by mistake, or at wrong doors, or are unknown.
 */
export function makePlan(seed: number, guestCount: number): DemoPlan {
  const random = new Random(seed)
  const uids = new Set<string>()
  while (uids.size < guestCount) uids.add(random.code())
  const guests = [...uids].map((uid, index) => ({
    ...makePerson(random, index + 1),
    uid,
    category: random.weighted(shares),
  }))
  const scans = guests.flatMap((guest) => (random.chance(0.94) ? visit(guest, random) : []))
  const strangers = Math.ceil(guestCount * 0.03)
  for (let each = 0; each < strangers; each++) {
    // Eleven characters: never the code of a guest.
    scans.push({ at: arrival(random), door: random.pick(doors), uid: random.code(11) })
  }
  return { guests, scans: scans.sort((a, b) => a.at - b.at) }
}

/** The scans of one guest's half hour. */
function visit({ uid, category }: DemoGuest, random: Random): PlannedScan[] {
  const scans: PlannedScan[] = []
  const scan = (at: number, door: DoorName): void => {
    scans.push({ at: clamp(at), door, uid })
    // A scanner that beeps late, or a friend who tries the same ticket.
    if (random.chance(0.06)) scans.push({ at: clamp(at + random.between(0, 4)), door, uid })
  }
  const came = arrival(random)
  scan(came, 'Main entrance')
  if (random.chance(0.35)) scan(came + random.between(60, 600), 'Workshop hall')
  const backstage = allowance(category, 'Backstage') === undefined ? 0.02 : 0.8
  if (random.chance(backstage)) scan(came + random.between(30, 300), 'Backstage')
  // Some guests leave for a moment and enter again.
  if (random.chance(0.05)) scan(came + random.between(120, 900), 'Main entrance')
  return scans
}

function arrival(random: Random): number {
  return clamp(random.chance(0.75) ? random.bell(HALF_HOUR * 0.5, HALF_HOUR * 0.13) : random.between(0, HALF_HOUR))
}

function clamp(at: number): number {
  return Math.min(HALF_HOUR, Math.max(0, at))
}
