import { setTimeout as sleep } from 'node:timers/promises'
import type { FenceState } from '@gatehouse/proto/declaring/cell-data.ts'
import type { Cell, CellService, Told } from './cells.ts'

/** How long processes have to say that they are there. */
const ROLL_CALL_MS = 500
const ROLL_CALLS = 3
const ASK_AGAIN_MS = 20
const ANSWER_MS = 1_000

/** The processes of each service that were there. */
export type Members = Map<string, Set<string>>

/** Asks which processes there are. Throws if a service has none. */
export async function rollCall(cell: Cell, account_id: string): Promise<Members> {
  const told: Told = { account_id, event_ids: [], state: 'home', epoch: 0 }
  const called = cell.services.map(async (service) => {
    const members = new Set<string>()
    // On a busy machine one may be late.
    for (let call = 0; call < ROLL_CALLS; call++)
      for (const { process, epoch } of await service.tell(told, ROLL_CALL_MS)) if (epoch >= 0) members.add(process)
    if (members.size === 0) throw new Error(`No process of ${service.name} answers in the cell ${cell.name}`)
    return [service.name, members] as const
  })
  return new Map(await Promise.all(called))
}

/**
 * Tells all processes of a cell where an account is, until all have done so and answered what they had before. Those that were there and do not
 * answer are dead or paused: after `longestMs` nobody waits for their answers any more.
 */
export async function fence(cell: Cell, told: Told, members: Members, longestMs: number): Promise<void> {
  const begun = performance.now()
  await Promise.all(cell.services.map((service) => fenceService(service, told, members, begun + longestMs)))
}

async function fenceService(service: CellService, told: Told, members: Members, until: number): Promise<void> {
  const awaited = members.get(service.name) ?? new Set()
  for (;;) {
    const said = await service.tell(told, ANSWER_MS, Math.max(1, awaited.size))
    const done = new Set(
      said.filter(({ epoch, is_done }) => epoch >= told.epoch && is_done).map(({ process }) => process),
    )
    // Those that have started since are awaited, too.
    for (const { process, epoch } of said) if (epoch >= 0) awaited.add(process)
    const isDone = said.length > 0 && said.length === done.size
    if (isDone && (awaited.isSubsetOf(done) || performance.now() > until)) return
    if (performance.now() > until + ANSWER_MS) throw new Error(`No process of ${service.name} answers`)
    await sleep(ASK_AGAIN_MS)
  }
}

/** Where an account is, as a cell sees it, and the newest epoch. */
export async function stateAt(cell: Cell, account_id: string): Promise<{ state: FenceState; epoch: number }> {
  const told: Told = { account_id, event_ids: [], state: 'home', epoch: 0 }
  const said = (await Promise.all(cell.services.map((service) => service.tell(told, ROLL_CALL_MS)))).flat()
  const newest = said.reduce((a, b) => (b.epoch > a.epoch ? b : a), { state: 'home' as FenceState, epoch: 0 })
  return { state: newest.state, epoch: newest.epoch }
}
