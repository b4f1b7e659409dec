import { readFile, writeFile } from 'node:fs/promises'
import { type Row, readCsv } from '@gatehouse/proto/csv.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { readDelimiter } from '../delimiter.ts'
import { showProgress } from '../progress.ts'
import { count, STOPPED, say, type Terminal } from '../terminal.ts'
import { badRowsAsCsv, tellBadRows, tellMapping, tellSamples } from './report.ts'

/** The options of every import. */
export interface FileOptions {
  /** Field names by header. */
  map?: ReadonlyMap<string, string>
  encoding?: string
  delimiter?: string
  errors?: string
  dryRun?: boolean
}

/** A row that can go in, with what it becomes. */
export interface GoodRow<B extends object = object> {
  row: Row
  body: B
}

/** A row that can not, and why. */
export interface BadRow {
  row: Row
  problem: string
}

/** What the rows of a file are before anything is written. */
export interface Plan<G extends GoodRow> {
  /** Rows to bring in. */
  fresh: G[]
  /** Rows that an earlier run has brought in. */
  alreadyThere: G[]
  bad: BadRow[]
  /** Names of what has to be made first. */
  missing: string[]
}

/** What became of the rows that were to be brought in. */
export interface Outcome {
  imported: number
  bad: BadRow[]
  /** Rows that were not tried, since it was stopped. */
  left: number
}

/** What brings the rows of a file in. Rows that went in once never go in again, however often it runs. */
export interface RowImport<C, G extends GoodRow> {
  /** What `missing` of a plan are: `guest category`. */
  readonly missingKind: string
  /** Where each column goes. Throws one sentence for a `--map` that fits no column or names no field. */
  columnsOf(headers: string[], overrides: ReadonlyMap<string, string> | undefined): C[]
  /** Where a column goes, for people. */
  describe(column: C): string
  /** Judges rows without writing anything. */
  plan(rows: Row[], columns: C[]): Promise<Plan<G>>
  /** Makes what is missing; plan again afterwards. */
  createMissing(names: string[]): Promise<void>
  /** Brings rows in. `onDone` hears after each row how many are done. Throws when the system does not answer for a minute. */
  run(rows: G[], stop: AbortSignal, onDone: (done: number) => void): Promise<Outcome>
}

/** Adds the options of {@link FileOptions} to a command; `fields` are those that a column can be read as. */
export function withFileOptions(command: Command, fields: string): Command {
  return command
    .option('--map <header=field>', `read a column as ${fields}; - leaves it out`, readMap)
    .option('--encoding <name>', 'of the file, instead of the guessed one')
    .option('--delimiter <sign>', 'between the cells, instead of the guessed one', readDelimiter)
    .option('--errors <file>', 'write the bad rows to a CSV file')
    .option('--dry-run', 'write nothing; show how the file is read and what is wrong with it')
}

/** Imports a file. Gives the exit code: 0, 1 when rows were bad, 130 when it was stopped. */
export async function importFile<C, G extends GoodRow>(
  path: string,
  options: FileOptions,
  begin: () => Promise<RowImport<C, G>>,
  terminal: Terminal,
): Promise<number> {
  const { out, err } = terminal
  const file = await readCsv(await readBytes(path), options)
  const work = await begin()
  const columns = work.columnsOf(file.headers, options.map)
  let plan = await work.plan(file.rows, columns)
  tellMapping(
    err,
    file,
    columns.map((column) => work.describe(column)),
  )

  if (options.dryRun) {
    tellSamples(err, plan.fresh)
    for (const name of plan.missing) say(err, `${work.missingKind} "${name}" would be made`)
  } else if (plan.missing.length > 0) {
    await work.createMissing(plan.missing)
    plan = await work.plan(file.rows, columns)
  }

  const outcome = options.dryRun ? NOTHING : await bringIn(work, plan.fresh, terminal)
  const bad = [...plan.bad, ...outcome.bad].sort((a, b) => a.row.line - b.row.line)
  tellBadRows(err, bad, options.errors)
  if (options.errors) await writeFile(options.errors, badRowsAsCsv(file, bad))
  const first = options.dryRun ? `${plan.fresh.length} would be imported` : `${outcome.imported} imported`
  say(out, `${first}, ${plan.alreadyThere.length} already there, ${bad.length} bad`)
  if (outcome.left > 0) {
    say(err, `Stopped: ${count(outcome.left, 'row')} left. Run it again to go on`)
    return STOPPED
  }
  return bad.length > 0 ? 1 : 0
}

const NOTHING: Outcome = { imported: 0, bad: [], left: 0 }

async function bringIn<C, G extends GoodRow>(
  work: RowImport<C, G>,
  rows: G[],
  { err, stop }: Terminal,
): Promise<Outcome> {
  const progress = showProgress(err, 'rows', rows.length)
  try {
    return await work.run(rows, stop, (done) => progress.at(done))
  } catch (error) {
    throw new Error(`${(error as Error).message}. What was imported stays: run it again to go on`, { cause: error })
  } finally {
    progress.end()
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch {
    throw new Error(`${path} can not be read`)
  }
}

function readMap(pair: string, before: Map<string, string> = new Map()): Map<string, string> {
  const at = pair.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError('It has to be HEADER=FIELD, or HEADER=- to leave the column out.')
  return new Map(before).set(pair.slice(0, at).trim(), pair.slice(at + 1).trim())
}
