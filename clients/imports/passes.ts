import { mapInOrder } from '@gatehouse/proto/concurrency/in-order.ts'
import type { ListSource } from '@gatehouse/proto/formats/lists/list.ts'
import type { ImportableRow, ImportPlan, ImportResult, Missing, RowImport, UnimportableRow } from './row-import.ts'

/** The numbers of rows after a pass over a file. */
export interface ImportSums extends Omit<ImportResult, 'bad' | 'warnings'> {
  /** The numbers of rows that were left out, by reason. */
  leftOut: Map<string, number>
}

/** What a pass tells while it goes on. */
export interface PassListener<G extends ImportableRow> {
  bad(rows: UnimportableRow[]): void | Promise<void>
  warnings(rows: readonly UnimportableRow[]): void
  /** How many rows are done. */
  at?(done: number): void
  /** The plan of each chunk of a dry run. */
  plan?(plan: ImportPlan<G>): void
}

const CHUNK_ROWS = 500

/** A dry run: counts the rows that would be imported. */
export async function lookAtList<C, G extends ImportableRow>(
  work: RowImport<C, G>,
  list: ListSource,
  columns: C[],
  listener: PassListener<G>,
  stop: AbortSignal,
): Promise<ImportSums> {
  const sums: ImportSums = { imported: 0, alreadyThere: 0, left: list.count, leftOut: new Map() }
  for await (const plan of plansOf(work, list, columns, stop)) {
    noteLeftOut(sums, plan)
    sums.imported += plan.fresh.length
    sums.alreadyThere += plan.alreadyThere.length + (plan.unfinished?.length ?? 0)
    sums.left -= sizeOf(plan)
    listener.plan?.(plan)
    listener.warnings(plan.warnings)
    await listener.bad(plan.bad)
    listener.at?.(list.count - sums.left)
  }
  return sums
}

/** Creates what rows need first, then imports the new rows. */
export async function runList<C, G extends ImportableRow>(
  work: RowImport<C, G>,
  list: ListSource,
  columns: C[],
  listener: PassListener<G>,
  stop: AbortSignal,
): Promise<ImportSums> {
  if (work.makesMissing) await makeMissing(work, list, columns, stop)
  const sums: ImportSums = { imported: 0, alreadyThere: 0, left: list.count, leftOut: new Map() }
  let done = 0
  const bringIn = async (plan: ImportPlan<G>): Promise<[ImportPlan<G>, ImportResult]> => {
    const rows = [...plan.fresh, ...(plan.unfinished ?? [])]
    done += sizeOf(plan) - rows.length
    listener.at?.(done)
    return [plan, await work.run(rows, stop, () => listener.at?.(++done))]
  }
  for await (const [plan, outcome] of mapInOrder(plansOf(work, list, columns, stop), work.width, bringIn)) {
    sums.imported += outcome.imported
    sums.alreadyThere += plan.alreadyThere.length + outcome.alreadyThere
    sums.left -= sizeOf(plan) - outcome.left
    noteLeftOut(sums, plan)
    listener.warnings([...plan.warnings, ...(outcome.warnings ?? [])])
    await listener.bad([...plan.bad, ...outcome.bad].sort((a, b) => a.row.line - b.row.line))
  }
  return sums
}

/** Things that plans lack, each once. */
export class MissingThings {
  readonly #found = new Map<string, Missing>()

  add({ missing }: Pick<ImportPlan<ImportableRow>, 'missing'>): void {
    for (const each of missing) this.#found.set(`${each.kind} ${each.name}`, each)
  }

  get all(): Missing[] {
    return [...this.#found.values()]
  }
}

/** The plans of a file, chunk by chunk. */
async function* plansOf<C, G extends ImportableRow>(
  work: RowImport<C, G>,
  list: ListSource,
  columns: C[],
  stop: AbortSignal,
  isForMissing = false,
): AsyncGenerator<ImportPlan<G>> {
  const plan = await work.planner(columns, list, isForMissing)
  for await (const rows of inChunks(list.rows(), CHUNK_ROWS)) {
    if (stop.aborted) return
    yield await plan(rows)
  }
}

/** Regroups items into lists of `size`. */
async function* inChunks<T>(lists: AsyncIterable<T[]>, size: number): AsyncGenerator<T[]> {
  let held: T[] = []
  for await (const list of lists) {
    held.push(...list)
    for (; held.length >= size; held = held.slice(size)) yield held.slice(0, size)
  }
  if (held.length > 0) yield held
}

async function makeMissing<C, G extends ImportableRow>(
  work: RowImport<C, G>,
  list: ListSource,
  columns: C[],
  stop: AbortSignal,
): Promise<void> {
  const missing = new MissingThings()
  for await (const plan of plansOf(work, list, columns, stop, true)) missing.add(plan)
  if (missing.all.length > 0 && !stop.aborted) await work.createMissing(missing.all)
}

function noteLeftOut(sums: ImportSums, { leftOut = [] }: Pick<ImportPlan<ImportableRow>, 'leftOut'>): void {
  for (const reason of leftOut) sums.leftOut.set(reason, (sums.leftOut.get(reason) ?? 0) + 1)
}

function sizeOf({ fresh, alreadyThere, bad, unfinished, leftOut }: ImportPlan<ImportableRow>): number {
  return fresh.length + alreadyThere.length + bad.length + (unfinished?.length ?? 0) + (leftOut?.length ?? 0)
}
