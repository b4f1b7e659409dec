import { readFile, writeFile } from 'node:fs/promises'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { Command, InvalidArgumentError } from 'commander'
import { readDelimiter } from '../delimiter.ts'
import { showProgress } from '../progress.ts'
import { connectSystem } from '../system.ts'
import { count, onTerminal, STOPPED, say, type Terminal } from '../terminal.ts'
import { readCsv } from './csv-file.ts'
import { mapColumns, targets } from './headers.ts'
import { GuestImport, type Outcome } from './import.ts'
import { badRowsAsCsv, tellBadRows, tellMapping, tellSamples } from './report.ts'

/** The options of `gatehouse import guests`. */
export interface ImportOptions {
  event: string
  category?: string
  createCategories?: boolean
  /** Field names by header. */
  map?: ReadonlyMap<string, string>
  encoding?: string
  delimiter?: string
  errors?: string
  dryRun?: boolean
}

/** `gatehouse import`. */
export function importCommand(): Command {
  const command = new Command('import').description('Bring data in from files')
  command
    .command('guests')
    .description('Import guests from a CSV file. Running it again goes on where it stopped and imports nothing twice')
    .argument('<file>', 'CSV with a header line')
    .requiredOption('--event <id>', 'the event they are invited to')
    .option('--category <name>', 'guest category, by name or id, of rows that name none')
    .option('--create-categories', 'make the guest categories that the event lacks')
    .option('--map <header=field>', `read a column as ${targets.join(', ')} or metadata; - leaves it out`, readMap)
    .option('--encoding <name>', 'of the file, instead of the guessed one')
    .option('--delimiter <sign>', 'between the cells, instead of the guessed one', readDelimiter)
    .option('--errors <file>', 'write the bad rows to a CSV file')
    .option('--dry-run', 'write nothing; show how the file is read and what is wrong with it')
    .action((file: string, options: ImportOptions) =>
      onTerminal(async (terminal) => {
        const { bus, close } = await connectSystem()
        try {
          return await importGuests(file, options, bus, terminal)
        } finally {
          await close()
        }
      }),
    )
  return command
}

/** Imports a file. Gives the exit code: 0, 1 when rows were bad, 130 when it was stopped. */
export async function importGuests(
  path: string,
  options: ImportOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  const { out, err } = terminal
  const file = readCsv(await readBytes(path), options)
  const columns = mapColumns(file.headers, options.map)
  const work = await GuestImport.into(bus, options)
  let plan = await work.plan(file.rows, columns)
  tellMapping(err, file, columns)

  if (options.dryRun) {
    tellSamples(err, plan.fresh)
    for (const name of plan.newCategories) say(err, `guest category "${name}" would be made`)
  } else if (plan.newCategories.length > 0) {
    await work.createCategories(plan.newCategories)
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

async function bringIn(
  work: GuestImport,
  rows: Parameters<GuestImport['run']>[0],
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
