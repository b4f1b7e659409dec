import { expect } from 'vitest'
import document from '../../docs/decision-vectors.json' with { type: 'json' }

/** A guest of a case: its category, and its own rights. */
export interface VectorGuest {
  category: string
  own: { point: string; once: boolean }[]
}

/** A link of a category to a check-in point; null removes it. */
export interface VectorLink {
  category: string
  point: string
  limit: number | null
}

/** One step of a case; which fields it has depends on `do` (docs/snapshot.md). */
type Step =
  | { do: 'scan'; uid: string; at: string; status: number }
  | { do: 'delete'; granted: number }
  | ({ do: 'link' } & VectorLink)
  | { do: 'guest'; uid: string; guest: VectorGuest | null }
  | { do: 'snapshot'; device: string }
  | { do: 'decide'; device: string; uid: string; at: string; status: number }
  | { do: 'upload'; device: string; statuses: number[] }

/** A case of docs/decision-vectors.json. */
export interface DecisionVector {
  name: string
  links: VectorLink[]
  guests: Record<string, VectorGuest>
  steps: Step[]
}

/** All cases. */
export const decisionVectors = document.cases as unknown as DecisionVector[]

/** The check-in points of a case, all of which are there from the beginning. */
export function pointsOf({ links, guests, steps }: DecisionVector): string[] {
  const own = Object.values(guests).flatMap((guest) => guest.own.map(({ point }) => point))
  const scanned = steps.flatMap((step) => ('at' in step ? step.at : []))
  return [...new Set([...links.map(({ point }) => point), ...own, ...scanned])]
}

/** What cases are played with: a door with its record, and devices that were given snapshots. */
export interface VectorWorld {
  setLink(link: VectorLink): Promise<void>
  /** Creates, changes or, with null, deletes a guest. */
  setGuest(uid: string, guest: VectorGuest | null): Promise<void>
  /** The door's status. */
  scan(uid: string, at: string): Promise<number>
  /** Deletes the check-in of the nth scan that the door has granted, from 0 on. */
  deleteGranted(nth: number): Promise<void>
  /** Returns a device a snapshot, or the difference from the one that it has. */
  snapshot(device: string): Promise<void>
  /** The status that a device decides by itself. */
  decide(device: string, uid: string, at: string): Promise<number>
  /** Sends what a device has decided since its last upload, in order; returns the statuses of the record. */
  upload(device: string): Promise<number[]>
}

/** Plays a case, and expects its statuses. */
export async function play({ links, guests, steps }: DecisionVector, world: VectorWorld): Promise<void> {
  for (const link of links) await world.setLink(link)
  for (const [uid, guest] of Object.entries(guests)) await world.setGuest(uid, guest)
  for (const [index, step] of steps.entries()) {
    const which = `step ${index + 1}, ${JSON.stringify(step)}`
    if (step.do === 'scan') expect(await world.scan(step.uid, step.at), which).toBe(step.status)
    if (step.do === 'delete') await world.deleteGranted(step.granted)
    if (step.do === 'link') await world.setLink(step)
    if (step.do === 'guest') await world.setGuest(step.uid, step.guest)
    if (step.do === 'snapshot') await world.snapshot(step.device)
    if (step.do === 'decide') expect(await world.decide(step.device, step.uid, step.at), which).toBe(step.status)
    if (step.do === 'upload') expect(await world.upload(step.device), which).toEqual(step.statuses)
  }
}

/** A scan that waits on a device for its upload, or for the next snapshot. */
interface OwnScan {
  uid: string
  at: string
  granted: boolean
}

/** The scans that a device has decided by itself. */
export class OwnScans {
  #waiting: OwnScan[] = []
  /** Granted scans that the device's snapshot lacks. */
  #uncounted: OwnScan[] = []

  add(uid: string, at: string, status: number): void {
    const scan = { uid, at, granted: status === 0 }
    this.#waiting.push(scan)
    if (scan.granted) this.#uncounted.push(scan)
  }

  /** How often the device has let a guest in without its snapshot knowing. */
  alsoUsed(uid: string, at: string): number {
    return this.#uncounted.filter((scan) => scan.uid === uid && scan.at === at).length
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
