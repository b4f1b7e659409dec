import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import { partyOf } from './scanner-event.ts'
import type { Steward } from './steward.ts'

/** Guests who stand before the doors at about the same time, so that several stewards scan the same ones. */
export const QUEUED = 8
const MAX_BREAK_MS = 1_200
const MAX_DYING_MS = 1_500
/** Of the steps of a steward: those in which the tab is killed, a guest is added, the other side is scanned. */
const KILLED = 0.05
const ADDED = 0.05
const TURNED = 0.08
/** A steward stays at the exit for fewer scans than at the entrance. */
const TURNED_BACK = 0.25
const DOUBLED = 0.05
/** Of what a camera could scan. */
const HELD = 0.5
/** Of questions and offers: those that are answered. */
const LET_IN = 0.85
/** Of those that can be undone, half at once and half after a while, when the server may have them. */
const UNDONE = 0.15
/** As long as the screen offers it. */
const MAX_UNDOING_MS = 8_000

/** What a steward does at the door. */
interface Standing {
  chance: Random
  hasCamera: boolean
  /** The guests in the order in which they come. */
  uids: readonly string[]
  /** How much of the time is over, from 0 to 1. */
  progress: () => number
  stop: AbortSignal
}

/** A steward at the door: scans who stands there, some twice, and has the tab killed now and then, until `stop`. */
export async function stand(steward: Steward, standing: Standing): Promise<void> {
  const { chance, stop } = standing
  while (!stop.aborted) {
    await step(steward, standing)
    await sleep(chance.below(MAX_BREAK_MS), undefined, { signal: stop }).catch(() => {})
  }
}

async function step(steward: Steward, { chance, hasCamera, uids, progress }: Standing): Promise<void> {
  const first = Math.floor(progress() * Math.max(0, uids.length - QUEUED))
  const uid = uids[first + chance.below(Math.min(QUEUED, uids.length))] as string
  if (chance.chance(KILLED)) return die(steward, uid, chance)
  if (chance.chance(steward.isAtExit ? TURNED_BACK : TURNED)) await steward.turn()
  // Nobody is added at an exit.
  if (!steward.isAtExit && chance.chance(ADDED)) {
    await steward.addWalkIn(chance.below(3))
    return undoSome(steward, chance)
  }
  if (hasCamera && partyOf(uid) === 1 && chance.chance(HELD)) return steward.hold(uid)
  await steward.type(uid)
  if (chance.chance(DOUBLED)) await steward.type(uid)
  // The screen offers it where it asks, and where too many were to come in.
  if (partyOf(uid) > 1 && chance.chance(LET_IN))
    await steward.letIn(chance.chance(0.5) ? 0 : chance.below(partyOf(uid)))
  await undoSome(steward, chance)
}

/** Undoes an entry now and then; no exit, since those who came in again after it would be too many. */
async function undoSome(steward: Steward, chance: Random): Promise<void> {
  if (steward.isAtExit || !chance.chance(UNDONE)) return
  if (chance.chance(0.5)) await sleep(chance.below(MAX_UNDOING_MS))
  await steward.undo()
}

/** Has the tab killed in the middle of a scan, or right after it, or after it was undone, and opens it again. */
async function die(steward: Steward, uid: string, chance: Random): Promise<void> {
  const cutShort = chance.chance(0.7)
  await steward.type(uid, cutShort)
  if (!cutShort && !steward.isAtExit && chance.chance(0.5)) await steward.undo(true)
  await sleep(chance.below(MAX_DYING_MS))
  await steward.kill(chance.chance(0.5))
  await sleep(chance.below(MAX_DYING_MS))
  await steward.open()
}
