import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import { bareEnv } from '@gatehouse/test/harness/process.ts'
import { familyOf, sendSignal } from '@gatehouse/test/load/processes.ts'
import { SEVERAL } from '@gatehouse/test/load/system.ts'
import { MongoClient } from 'mongodb'
import { serviceNames } from '../../services/services.ts'
import type { DrillClient } from '../client.ts'
import type { FaultKind } from '../injected-faults.ts'
import { now } from '../record.ts'
import { inEvent } from '../scanning.ts'
import { CELLS, type CellName, type CellsSystem, SLUG } from './cells-system.ts'

/** A paused process sleeps for so long. */
const PAUSE_MS = 3_000
/** When something is killed after a move has begun, which copies and waits for 20 s; or after it has closed the account. */
const AFTER_BEGIN_MS = { least: 500, most: 20_000 }
const AFTER_CLOSING_MS = { least: 0, most: 1_500 }
/** What the command says then. */
const CLOSING = 'Closing the account'
/** The command may be killed so often before one run of it is left alone: at first when the account is closed. */
const KILLS = 2
const TRIES = 5
/** The longest that the account may be closed, in seconds, and on a busy machine; devices give up after a minute. */
const CLOSED = { usually: 10, most: 30 }
/** What an account leaves behind: what expires, and that it has left. */
const LEFT = new Set([
  'cell_fences',
  'idempotency_keys',
  'audit_notes',
  'outbox',
  'scan_times',
  'watches',
  'oidc_counts',
])

/** Moves the account of a drill to and fro. */
export class Mover {
  readonly #client: DrillClient<CellsSystem>
  readonly #chance: Random
  readonly #details: string[]
  #home: CellName = CELLS[0]

  constructor(client: DrillClient<CellsSystem>, chance: Random, details: string[]) {
    this.#client = client
    this.#chance = chance
    this.#details = details
  }

  get #away(): CellName {
    return CELLS.find((cell) => cell !== this.#home) ?? this.#home
  }

  /** The moves that the drill makes, each with what is done to it. */
  kinds(): FaultKind<CellsSystem>[] {
    const disturbed = (what: string, name: string, disturb?: Disturb) => ({
      what,
      name,
      kills: false,
      inject: (system: CellsSystem, signal: AbortSignal) => this.#move(what, system, signal, disturb),
    })
    const kill =
      (cell: () => CellName, name: string): Disturb =>
      async (system, run, over) => {
        await this.#sometime(run, over)
        if (!over.aborted) sendSignal(system.cells[cell()].pidOf(name), 'SIGKILL')
      }
    return [
      disturbed('move', 'move'),
      disturbed('move, the command killed', 'command'),
      disturbed(
        "move, the old cell's check-ins killed",
        'checkin-1',
        kill(() => this.#home, 'checkin-1'),
      ),
      disturbed(
        "move, the new cell's services killed",
        SEVERAL,
        kill(() => this.#away, SEVERAL),
      ),
      disturbed(
        "move, the old cell's services killed",
        SEVERAL,
        kill(() => this.#home, SEVERAL),
      ),
      disturbed("move, the old cell's check-ins paused", 'checkin-2', async (system, run, over) => {
        await this.#sometime(run, over)
        await pause(system.cells[this.#home].pidOf('checkin-2'))
      }),
    ]
  }

  /** Waits for some moment of a run: every second time, for one at which the account is closed. */
  async #sometime(run: RunningMove, over: AbortSignal, isClosed = this.#chance.next() < 0.5): Promise<void> {
    if (isClosed) await run.closing
    const { least, most } = isClosed ? AFTER_CLOSING_MS : AFTER_BEGIN_MS
    await sleep(least + this.#chance.below(most - least), undefined, { signal: over }).catch(() => {})
  }

  async #move(what: string, system: CellsSystem, signal: AbortSignal, disturb?: Disturb): Promise<void> {
    const over = new AbortController()
    let disturbing: Promise<void> | undefined
    let kills = what.includes('command') ? KILLS : 0
    let said = ''
    for (let tries = 0; ; ) {
      signal.throwIfAborted()
      const begun = now()
      const closed = Math.min(CLOSED.usually * this.#client.record.slack, CLOSED.most)
      const run = runMove(system, this.#home, this.#away, closed)
      disturbing ??= disturb?.(system, run, AbortSignal.any([signal, over.signal]))
      if (kills > 0)
        void this.#sometime(run, AbortSignal.any([signal, run.ended]), kills === KILLS || undefined).then(run.kill)
      kills--
      const { code, err } = await run.result
      const last = err.trim().split('\n').at(-1) ?? ''
      said += `${Math.round(now() - begun)} ms: ${code === null ? `killed after "${last}"` : last}; `
      if (code === 0) break
      if (code !== null && ++tries === TRIES) {
        this.#client.record.violation('moved', 'a move does not come to its end', [what, err])
        return
      }
    }
    over.abort()
    await disturbing
    const former = this.#home
    this.#home = this.#away
    this.#details.push(`${what} to ${this.#home}: ${said}`)
    await this.#compare(system, former)
  }

  /** Checks that the former cell has nothing left of the account. */
  async #compare({ cells, account_id }: CellsSystem, former: CellName): Promise<void> {
    await using client = await new MongoClient(cells[former].mongodbUrl).connect()
    for (const service of serviceNames) {
      const collections = await client.db(`${former}_${service}`).collections()
      for (const each of collections) {
        if (LEFT.has(each.collectionName)) continue
        const events = { event_id: inEvent('').split('/')[1] }
        const count = await each.countDocuments({ $or: [{ account_id }, events] })
        if (count > 0)
          this.#client.record.violation('moved', 'a cell has kept something', [
            `${former}: ${count} of ${service}.${each.collectionName}`,
          ])
      }
    }
  }
}

async function pause(pid: number | undefined): Promise<void> {
  if (pid === undefined) return
  const family = familyOf(pid)
  for (const each of family) sendSignal(each, 'SIGSTOP')
  try {
    await sleep(PAUSE_MS)
  } finally {
    for (const each of family) sendSignal(each, 'SIGCONT')
  }
}

/** Does something to a cell while its account moves. */
type Disturb = (system: CellsSystem, run: RunningMove, over: AbortSignal) => Promise<void>

interface RunningMove {
  /** Its exit code, null if it was killed, and what it has said. */
  result: Promise<{ code: number | null; err: string }>
  /** Resolves when it closes the account, or has ended. */
  closing: Promise<void>
  ended: AbortSignal
  kill(): void
}

/** Runs the command in a process of its own. */
function runMove({ nats }: CellsSystem, from: CellName, to: CellName, closed: number): RunningMove {
  const over = new AbortController()
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; err: string }>()
  const closing = Promise.withResolvers<void>()
  const child = execFile(
    process.execPath,
    ['cli/main.ts', 'cell', 'move', SLUG, '--to', to, '--closed', String(closed)],
    {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...bareEnv, NATS_URL: nats.urlOf(from, 'cli'), NAMESPACE: from },
    },
    (error, _out, err) => {
      over.abort()
      closing.resolve()
      resolve({ code: error ? ((error.code as number | null | undefined) ?? null) : 0, err })
    },
  )
  child.stderr?.on('data', (text: string) => {
    if (text.includes(CLOSING)) closing.resolve()
  })
  return { result: promise, closing: closing.promise, ended: over.signal, kill: () => void child.kill('SIGKILL') }
}
