import type { Move } from '@gatehouse/door/decision.ts'
import { expect } from 'vitest'
import document from '../../docs/decision-vectors.json' with { type: 'json' }

/** A guest of a case: its category, and its own rights. */
export interface VectorGuest {
  category: string
  own: { point: string; once: boolean }[]
  /** The `party_size`; 1 by default. */
  party?: number
}

/** A link of a category to a check-in point; null removes it. */
export interface VectorLink {
  category: string
  point: string
  limit: number | null
  valid_from?: string
  valid_until?: string
  period?: 'day'
  reentry?: true
}

/** What a check-in point is where it is not just an entrance of the event. */
export interface VectorPoint {
  direction?: 'out'
  area?: string
}

/** When the days of a case's event begin. */
export interface VectorDays {
  timezone: string
  day_starts_at: string
}

/** A scan, of one person by default; `stamp` is its `access_stamp`. */
export interface VectorScan {
  uid: string
  at: string
  persons?: number
  stamp?: string
}

/** How a scan is decided. */
export interface VectorOutcome {
  access_status: number
  reason: string | null
  /** Only at a limited point. */
  persons_left?: number
  /** How many came in or out, or were to. */
  persons: number
}

/** What a case says of an outcome: the reason is that of the status unless it says otherwise. */
interface ExpectedOutcome {
  status: number
  reason?: string
  left?: number
  /** How many came in or out, if the scan leaves that open. */
  moved?: number
}

const REASONS = [null, 'unknown_guest', 'no_right', 'used_up']

/** One step of a case; which fields it has depends on `do` (docs/snapshot.md). */
type Step =
  | ({ do: 'scan' } & VectorScan & ExpectedOutcome)
  | { do: 'delete'; granted: number }
  | ({ do: 'link' } & VectorLink)
  | { do: 'guest'; uid: string; guest: VectorGuest | null }
  | { do: 'snapshot'; device: string }
  | ({ do: 'decide'; device: string } & VectorScan & ExpectedOutcome)
  | { do: 'upload'; device: string; statuses: number[] }

/** A case of docs/decision-vectors.json. */
export interface DecisionVector {
  name: string
  /** By default midnight in UTC. */
  days?: VectorDays
  /** By name; the others are entrances of the event. */
  points?: Record<string, VectorPoint>
  links: VectorLink[]
  guests: Record<string, VectorGuest>
  steps: Step[]
}

/** All cases. */
export const decisionVectors = document.cases as unknown as DecisionVector[]

/** The check-in points of a case, all of which are there from the beginning. */
export function pointsOf({ links, guests, steps, points = {} }: DecisionVector): string[] {
  const own = Object.values(guests).flatMap((guest) => guest.own.map(({ point }) => point))
  const scanned = steps.flatMap((step) => ('at' in step ? step.at : []))
  return [...new Set([...Object.keys(points), ...links.map(({ point }) => point), ...own, ...scanned])]
}

/** What cases are played with: a door with its record, and devices that were given snapshots. */
export interface VectorWorld {
  setLink(link: VectorLink): Promise<void>
  /** Creates, changes or, with null, deletes a guest. */
  setGuest(uid: string, guest: VectorGuest | null): Promise<void>
  /** The door's decision. */
  scan(scan: VectorScan): Promise<VectorOutcome>
  /** Deletes the check-in of the nth scan that the door has granted, from 0 on. */
  deleteGranted(nth: number): Promise<void>
  /** Returns a device a snapshot, or the difference from the one that it has. */
  snapshot(device: string): Promise<void>
  /** What a device decides by itself. */
  decide(device: string, scan: VectorScan): Promise<VectorOutcome>
  /** Sends what a device has decided since its last upload, in order; returns the statuses of the record. */
  upload(device: string): Promise<number[]>
}

/** Plays a case, and expects its statuses. */
export async function play({ links, guests, steps }: DecisionVector, world: VectorWorld): Promise<void> {
  for (const link of links) await world.setLink(link)
  for (const [uid, guest] of Object.entries(guests)) await world.setGuest(uid, guest)
  for (const [index, step] of steps.entries()) {
    const which = `step ${index + 1}, ${JSON.stringify(step)}`
    if (step.do === 'scan') expectOutcome(await world.scan(step), step, which)
    if (step.do === 'delete') await world.deleteGranted(step.granted)
    if (step.do === 'link') await world.setLink(step)
    if (step.do === 'guest') await world.setGuest(step.uid, step.guest)
    if (step.do === 'snapshot') await world.snapshot(step.device)
    if (step.do === 'decide') expectOutcome(await world.decide(step.device, step), step, which)
    if (step.do === 'upload') expect(await world.upload(step.device), which).toEqual(step.statuses)
  }
}

function expectOutcome(outcome: VectorOutcome, { status, reason, left, moved }: ExpectedOutcome, which: string): void {
  const { access_status, persons_left, persons } = outcome
  expect({ access_status, reason: outcome.reason }, which).toEqual({
    access_status: status,
    reason: reason ?? REASONS[status],
  })
  if (left !== undefined) expect(persons_left, which).toBe(left)
  if (moved !== undefined) expect(persons, which).toBe(moved)
}

/** A scan that waits on a device for its upload, or for the next snapshot. */
interface OwnScan extends VectorScan {
  granted: boolean
  /** How many came in or out. */
  moved: number
}

/** The scans that a device has decided by itself. */
export class OwnScans {
  #waiting: OwnScan[] = []
  /** Granted scans that the device's snapshot lacks. */
  #uncounted: OwnScan[] = []

  add(made: VectorScan, { access_status, persons }: VectorOutcome): void {
    const scan = { ...made, granted: access_status === 0, moved: persons }
    this.#waiting.push(scan)
    if (scan.granted) this.#uncounted.push(scan)
  }

  /** The granted scans of a guest that the device's snapshot lacks, at check-in points with ids. Without stamps they lie a millisecond apart. */
  uncounted(uid: string, exits: ReadonlySet<string>, idOf: (at: string) => string = (at) => at): Move[] {
    return this.#uncounted.flatMap((scan, number) => {
      const accesspoint_id = idOf(scan.at)
      const at = scan.stamp === undefined ? number : Date.parse(scan.stamp)
      const move = { accesspoint_id, at, persons: scan.moved, isExit: exits.has(accesspoint_id) }
      return scan.uid === uid ? [move] : []
    })
  }

  /** The scans that go up now. */
  takeWaiting(): OwnScan[] {
    return this.#waiting.splice(0)
  }

  /** A new snapshot knows what has gone up before. */
  counted(): void {
    this.#uncounted = this.#uncounted.filter((scan) => this.#waiting.includes(scan))
  }
}
