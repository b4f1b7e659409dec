import type { Askable, Bus } from '@gatehouse/proto/bus/bus.ts'
import { AccountMoving, Fault } from '@gatehouse/proto/declaring/faults.ts'

/**
 * Asks for somebody who brings no token, but perhaps a secret: the own cell first, and all others where that does not know what the request is
 * about. A cell that does not know it does nothing. `isUnknown` says so of an answer; refusals say it by `unauthorized` and `not_found`.
 */
export async function askCells<T>(
  bus: Bus,
  ask: (cell: Askable) => Promise<T>,
  isUnknown: (answer: T) => boolean = () => false,
): Promise<T> {
  if (bus.cells.length === 0) return ask(bus)
  const knows = (result: PromiseSettledResult<T>): boolean =>
    result.status === 'fulfilled' ? !isUnknown(result.value) : !isIgnorance(result.reason)
  const [own] = await Promise.allSettled([ask(bus)])
  if (knows(own)) return outcomeOf(own)
  const others = await Promise.allSettled(bus.cells.map((cell) => ask(bus.cell(cell))))
  const known = others.filter(knows)
  // One that does not answer may be the one that knows it, as may one to which the account is moving.
  const decisive = known.find(({ status }) => status === 'fulfilled') ?? known[0] ?? [own, ...others].find(isMoving)
  return outcomeOf(decisive ?? own)
}

/** Tells all cells what may concern any of them. Rejects if none takes it, or if one is away: whoever tells it tries again. */
export async function tellCells(bus: Bus, tell: (cell: Askable) => Promise<unknown>): Promise<void> {
  const all = await Promise.allSettled([bus, ...bus.cells.map((cell) => bus.cell(cell))].map((cell) => tell(cell)))
  const refused = all.filter((each) => each.status === 'rejected')
  const decisive = refused.find(({ reason }) => !isIgnorance(reason)) ?? (refused.length === all.length && refused[0])
  if (decisive) throw decisive.reason
}

function outcomeOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'fulfilled') return result.value
  throw result.reason
}

function isMoving(result: PromiseSettledResult<unknown>): boolean {
  return result.status === 'rejected' && result.reason instanceof AccountMoving
}

/** Whether a cell that refuses a request for this reason may not have its account. */
function isIgnorance(reason: unknown): boolean {
  return (
    reason instanceof AccountMoving || (reason instanceof Fault && ['unauthorized', 'not_found'].includes(reason.code))
  )
}
