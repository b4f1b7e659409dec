import { setTimeout as sleep } from 'node:timers/promises'
import { DECIDER, type FenceState } from '@gatehouse/proto/declaring/cell-data.ts'
import type { Acknowledgement, Cell, Told } from './cells.ts'
import { serviceOf } from './copying.ts'

/** How long processes have to say that they are there. */
const ROLL_CALL_MS = 500
const ROLL_CALLS = 3
/** As many while nobody answers: all may be restarting. */
const PATIENT_ROLL_CALLS = 30
const ASK_AGAIN_MS = 20
const ANSWER_MS = 1_000
/** How long the service that decides has to answer. */
const DECIDED_WITHIN_MS = 60_000

/** The processes of each service that were there. */
export type Members = Map<string, Set<string>>

/** Asks which processes there are. Throws if a service has none. */
export async function rollCall(cell: Cell, account_id: string): Promise<Members> {
  const called = cell.services.map(async (service) => {
    const members = new Set<string>()
    // On a busy machine one may be late.
    for (let call = 0; call < (members.size > 0 ? ROLL_CALLS : PATIENT_ROLL_CALLS); call++)
      for (const { process, epoch } of await service.tell(asking(account_id), ROLL_CALL_MS))
        if (epoch >= 0) members.add(process)
    if (members.size === 0) throw new Error(`No process of ${service.name} answers in the cell ${cell.name}`)
    return [service.name, members] as const
  })
  return new Map(await Promise.all(called))
}

/** How a cell is told where an account is. */
export interface Fencing {
  members: Members
  /** How long those that do not answer are awaited: they are dead or paused, and after it nobody waits for their answers any more. */
  longestMs: number
  signal?: AbortSignal | undefined
}

/** Tells all processes of a cell where an account is, until all have done so and answered what they had before. */
export async function fence(cell: Cell, told: Told, { members, longestMs, signal }: Fencing): Promise<void> {
  const until = performance.now() + longestMs
  // Whoever opens an account that the command has left closed must know that it is.
  await decide(cell, told, signal)
  await Promise.all(
    cell.services.map(async (service) => {
      const awaited = new Set(members.get(service.name))
      for (;;) {
        signal?.throwIfAborted()
        const said = await service.tell(told, ANSWER_MS, Math.max(1, awaited.size))
        refuseOthers(said, told)
        const done = new Set(said.filter((each) => has(each, told) && each.is_done).map(({ process }) => process))
        // Those that have started since are awaited, too.
        for (const { process, epoch } of said) if (epoch >= 0) awaited.add(process)
        const isDone = said.length > 0 && said.length === done.size
        if (isDone && (awaited.isSubsetOf(done) || performance.now() > until)) return
        if (performance.now() > until + ANSWER_MS) throw new Error(`No process of ${service.name} answers`)
        await sleep(ASK_AGAIN_MS)
      }
    }),
  )
}

/**
 * Tells the service that decides, until one of its processes has stored it: from then on all others of the cell learn it, even if nobody tells them.
 * Throws if something else was decided before, or nobody answers: then it is unknown.
 */
export async function decide(cell: Cell, told: Told, signal?: AbortSignal): Promise<void> {
  const until = performance.now() + DECIDED_WITHIN_MS
  const decider = serviceOf(cell, DECIDER)
  while (performance.now() < until) {
    signal?.throwIfAborted()
    const said = await decider.tell(told, ANSWER_MS, 1)
    refuseOthers(said, told)
    if (said.some((each) => has(each, told))) return
    await sleep(ASK_AGAIN_MS)
  }
  throw new Error(`No process of ${DECIDER} answers`)
}

/** Tells what was decided to all processes that are there, once: the others ask themselves. */
export async function spread(cell: Cell, told: Told, members: Members): Promise<void> {
  await Promise.all(cell.services.map((each) => each.tell(told, ANSWER_MS, members.get(each.name)?.size)))
}

/** The account was opened again when it was closed for too long, or another run moves it. */
export class Overtaken extends Error {
  constructor() {
    super('The account was opened again, or another command moves it')
  }
}

function refuseOthers(said: Acknowledgement[], { state, epoch }: Told): void {
  if (said.some((each) => each.epoch > epoch || (each.epoch === epoch && each.state !== state))) throw new Overtaken()
}

function has(said: Acknowledgement, { epoch }: Told): boolean {
  return said.epoch === epoch
}

/** Where an account is, as a cell sees it, and the newest epoch. */
export async function stateAt(cell: Cell, account_id: string): Promise<{ state: FenceState; epoch: number }> {
  const said = (await Promise.all(cell.services.map((each) => each.tell(asking(account_id), ROLL_CALL_MS)))).flat()
  const newest = said.reduce((a, b) => (b.epoch > a.epoch ? b : a), { state: 'home' as FenceState, epoch: 0 })
  return { state: newest.state, epoch: newest.epoch }
}

/** What is told in order to ask. */
function asking(account_id: string): Told {
  return { account_id, event_ids: [], state: 'home', epoch: 0 }
}
