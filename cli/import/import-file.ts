import { constants, createReadStream } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { type ImportSums, lookAtList, MissingThings, type PassListener, runList } from '@gatehouse/imports/passes.ts'
import type { ImportableRow, ImportPlan, RowImport, UnimportableRow } from '@gatehouse/imports/row-import.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type ListSource, openList, type ReadBytes } from '@gatehouse/proto/formats/lists/list.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { readDelimiter } from '../delimiter.ts'
import { showProgress } from '../progress.ts'
import { count, STOPPED, say, type Terminal } from '../terminal.ts'
import { BadRows, printMapping, printSamples, remarksOf, SAMPLES, Warnings } from './report.ts'

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
  const { out, err } = terminal
  const { dryRun: isDryRun = false } = options
  const columns = await work.columnsOf(file, options.map).catch((error) => {
    const isPlaceMissing = error instanceof Fault && error.reason?.code === 'several_points'
    throw isPlaceMissing ? new Error(`${error.message}: --point names the place`) : error
  })
  printMapping(
    err,
    file,
    columns.map((column) => work.describe(column)),
  )
  const warnings = new Warnings()
  const bad = await BadRows.open(file, options.errors)
  try {
    const pass = isDryRun ? look : run
    const listener = {
      bad: (rows: UnimportableRow[]) => bad.add(rows),
      warnings: (rows: readonly UnimportableRow[]) => warnings.add(rows),
    }
    const sums = await pass(work, file, columns, listener, terminal)
    warnings.print(err)
    await bad.print(err)
    say(out, sumsText(sums, bad.count, isDryRun))
    if (work.counts) for (const remark of remarksOf(work.counts, isDryRun)) say(out, remark)
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

type ImportPass<C, G extends ImportableRow> = (
  work: RowImport<C, G>,
  file: ListSource,
  columns: C[],
  listener: PassListener<G>,
  terminal: Terminal,
) => Promise<ImportSums>

/** A dry run: counts the rows that would be imported, and shows some. */
async function look<C, G extends ImportableRow>(
  ...[work, file, columns, listener, { err, stop }]: Parameters<ImportPass<C, G>>
): Promise<ImportSums> {
  const samples: G[] = []
  const missing = new MissingThings()
  const plan = (each: ImportPlan<G>): void => {
    samples.push(...each.fresh.slice(0, SAMPLES - samples.length))
    missing.add(each)
  }
  const sums = await lookAtList(work, file, columns, { ...listener, plan }, stop)
  printSamples(err, samples)
  for (const { kind, name } of missing.all) say(err, `${kind} "${name}" would be created`)
  return sums
}

/** Imports the new rows. */
async function run<C, G extends ImportableRow>(
  ...[work, file, columns, listener, { err, stop }]: Parameters<ImportPass<C, G>>
): Promise<ImportSums> {
  const progress = showProgress(err, 'rows', file.count)
  try {
    return await runList(work, file, columns, { ...listener, at: (done) => progress.at(done) }, stop)
  } catch (error) {
    throw new Error(`${(error as Error).message}. Rows imported so far are kept; run the command again to continue`, {
      cause: error,
    })
  } finally {
    progress.end()
  }
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
