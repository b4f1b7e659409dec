import { constants, createReadStream } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { type ListSource, openList, type ReadBytes } from '@gatehouse/proto/formats/lists/list.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { readDelimiter } from '../delimiter.ts'
import { mapInOrder } from '../ordered-concurrency.ts'
import { showProgress } from '../progress.ts'
import { count, STOPPED, say, type Terminal } from '../terminal.ts'
import { BadRows, printMapping, printSamples, SAMPLES, Warnings } from './report.ts'
import type { ImportableRow, ImportPlan, ImportResult, Missing, RowImport } from './row-import.ts'

/** The options of every import. */
export interface FileOptions {
  /** Field names by header. */
  map?: ReadonlyMap<string, string>
  encoding?: string
  delimiter?: string
  sheet?: string
  /** False for a file whose first row is no header. */
  header?: boolean
  errors?: string
  dryRun?: boolean
}

const CHUNK_ROWS = 500
const NO_HEADER =
  'The file has no header: its first row looks like a person. Add a header, or use --no-header and --map "Column 1=last_name"'

/** Adds the options of {@link FileOptions} to a command; `fields` names the possible fields of a column. */
export function withFileOptions(command: Command, fields: string): Command {
  return command
    .option('--map <header=field>', `read a column as ${fields}; - skips it`, readMap)
    .option('--encoding <name>', 'of the file, instead of the guessed one')
    .option('--delimiter <sign>', 'between cells, instead of the guessed one', readDelimiter)
    .option('--sheet <name>', 'of a workbook, instead of the first one')
    .option('--no-header', 'the first row is not a header: name the columns with --map "Column 1=FIELD"')
    .option('--errors <file>', 'write rows with errors to a CSV file')
    .option('--dry-run', 'import nothing; show how the file is read and its errors')
    .option('--plan', 'the same as --dry-run')
    .on('option:plan', () => command.setOptionValue('dryRun', true))
}

/** Imports a file. Returns the exit code: 0, 1 when rows were bad, 130 when it was stopped. */
export async function importFile<C, G extends ImportableRow>(
  path: string,
  options: FileOptions,
  begin: () => Promise<RowImport<C, G>>,
  terminal: Terminal,
): Promise<number> {
  const read = await readerOf(path)
  const work = await begin()
  return importList(await openFile(read, options, (header) => work.isKnown(header)), options, work, terminal)
}

/** Opens a file as a list. Throws one sentence if it has no header. */
export async function openFile(
  read: ReadBytes,
  { encoding, delimiter, sheet, header }: FileOptions,
  isKnown: (header: string) => boolean,
): Promise<ListSource> {
  const headerless = header === false
  const file = await openList(read, { encoding, delimiter, sheet, headerless, isKnown })
  if (file.headerLine === undefined && !headerless) throw new Error(NO_HEADER)
  return file
}

/** Imports an open list. Returns the exit code of {@link importFile}. */
export async function importList<C, G extends ImportableRow>(
  file: ListSource,
  options: FileOptions,
  work: RowImport<C, G>,
  terminal: Terminal,
): Promise<number> {
  const { out, err, stop } = terminal
  const { dryRun: isDryRun = false } = options
  const columns = await work.columnsOf(file, options.map)
  printMapping(
    err,
    file,
    columns.map((column) => work.describe(column)),
  )
  const warnings = new Warnings()
  const bad = await BadRows.open(file, options.errors)
  try {
    if (work.makesMissing && !isDryRun) await makeMissing(work, file, columns, stop)
    const pass = isDryRun ? look : run
    const sums = await pass(work, file, columns, { bad, warnings }, terminal)
    warnings.print(err)
    await bad.print(err)
    say(out, sumsText(sums, bad.count, isDryRun))
    for (const remark of work.remarks?.(isDryRun) ?? []) say(out, remark)
    if (sums.left > 0) {
      say(err, `Stopped: ${count(sums.left, 'row')} left. Run the command again to continue`)
      return STOPPED
    }
    return bad.count > 0 ? 1 : 0
  } finally {
    await bad.close()
  }
}

function sumsText({ imported, alreadyThere, leftOut }: ImportSums, bad: number, isDryRun: boolean): string {
  const first = isDryRun ? `${imported} would be imported` : `${imported} imported`
  const others = Array.from(leftOut, ([reason, rows]) => `, ${rows} ${reason}`)
  return `${first}, ${alreadyThere} already there, ${bad} bad${others.join('')}`
}

interface ImportSums extends Omit<ImportResult, 'bad' | 'warnings'> {
  /** The numbers of rows that were left out, by reason. */
  leftOut: Map<string, number>
}
type ImportPass<C, G extends ImportableRow> = (
  work: RowImport<C, G>,
  file: ListSource,
  columns: C[],
  found: { bad: BadRows; warnings: Warnings },
  terminal: Terminal,
) => Promise<ImportSums>

/** The plans of a file, chunk by chunk. */
async function* plansOf<C, G extends ImportableRow>(
  work: RowImport<C, G>,
  file: ListSource,
  columns: C[],
  stop: AbortSignal,
  isForMissing = false,
): AsyncGenerator<ImportPlan<G>> {
  const plan = await work.planner(columns, file, isForMissing)
  for await (const rows of inChunks(file.rows(), CHUNK_ROWS)) {
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
  file: ListSource,
  columns: C[],
  stop: AbortSignal,
): Promise<void> {
  const missing = new Map<string, Missing>()
  for await (const plan of plansOf(work, file, columns, stop, true)) noteMissing(missing, plan)
  if (missing.size > 0 && !stop.aborted) await work.createMissing([...missing.values()])
}

function noteMissing(found: Map<string, Missing>, { missing }: Pick<ImportPlan<ImportableRow>, 'missing'>): void {
  for (const each of missing) found.set(`${each.kind} ${each.name}`, each)
}

function noteLeftOut(sums: ImportSums, { leftOut = [] }: Pick<ImportPlan<ImportableRow>, 'leftOut'>): void {
  for (const reason of leftOut) sums.leftOut.set(reason, (sums.leftOut.get(reason) ?? 0) + 1)
}

/** A dry run: counts the rows that would be imported, and shows some. */
async function look<C, G extends ImportableRow>(
  ...[work, file, columns, { bad, warnings }, { err, stop }]: Parameters<ImportPass<C, G>>
): Promise<ImportSums> {
  const sums: ImportSums = { imported: 0, alreadyThere: 0, left: file.count, leftOut: new Map() }
  const samples: G[] = []
  const missing = new Map<string, Missing>()
  for await (const plan of plansOf(work, file, columns, stop)) {
    samples.push(...plan.fresh.slice(0, SAMPLES - samples.length))
    noteMissing(missing, plan)
    noteLeftOut(sums, plan)
    sums.imported += plan.fresh.length
    sums.alreadyThere += plan.alreadyThere.length + (plan.unfinished?.length ?? 0)
    sums.left -= sizeOf(plan)
    warnings.add(plan.warnings)
    await bad.add(plan.bad)
  }
  printSamples(err, samples)
  for (const { kind, name } of missing.values()) say(err, `${kind} "${name}" would be created`)
  return sums
}

/** Imports the new rows. */
async function run<C, G extends ImportableRow>(
  ...[work, file, columns, { bad, warnings }, { err, stop }]: Parameters<ImportPass<C, G>>
): Promise<ImportSums> {
  const sums: ImportSums = { imported: 0, alreadyThere: 0, left: file.count, leftOut: new Map() }
  const progress = showProgress(err, 'rows', file.count)
  let done = 0
  const bringIn = async (plan: ImportPlan<G>): Promise<[ImportPlan<G>, ImportResult]> => {
    const rows = [...plan.fresh, ...(plan.unfinished ?? [])]
    done += sizeOf(plan) - rows.length
    progress.at(done)
    return [plan, await work.run(rows, stop, () => progress.at(++done))]
  }
  try {
    for await (const [plan, outcome] of mapInOrder(plansOf(work, file, columns, stop), work.width, bringIn)) {
      sums.imported += outcome.imported
      sums.alreadyThere += plan.alreadyThere.length + outcome.alreadyThere
      sums.left -= sizeOf(plan) - outcome.left
      noteLeftOut(sums, plan)
      warnings.add([...plan.warnings, ...(outcome.warnings ?? [])])
      await bad.add([...plan.bad, ...outcome.bad].sort((a, b) => a.row.line - b.row.line))
    }
    return sums
  } catch (error) {
    throw new Error(`${(error as Error).message}. Rows imported so far are kept; run the command again to continue`, {
      cause: error,
    })
  } finally {
    progress.end()
  }
}

function sizeOf({ fresh, alreadyThere, bad, unfinished, leftOut }: ImportPlan<ImportableRow>): number {
  return fresh.length + alreadyThere.length + bad.length + (unfinished?.length ?? 0) + (leftOut?.length ?? 0)
}

/** Returns a function that reads a file repeatedly. A pipe, which can be read only once, is held in memory. */
export async function readerOf(path: string): Promise<ReadBytes> {
  try {
    const file = await stat(path)
    if (file.isFile()) {
      await access(path, constants.R_OK)
      return () => createReadStream(path)
    }
    const bytes = await readFile(path)
    return async function* () {
      yield bytes
    }
  } catch {
    throw new Error(`${path} cannot be read`)
  }
}

function readMap(pair: string, before: Map<string, string> = new Map()): Map<string, string> {
  const at = pair.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError('It has to be HEADER=FIELD, or HEADER=- to leave the column out.')
  return new Map(before).set(pair.slice(0, at).trim(), pair.slice(at + 1).trim())
}
