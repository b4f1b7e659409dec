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
/** When something is killed after a move has begun: it copies, waits for 20 s, closes the account and opens it. */
const KILL_BETWEEN_MS = { least: 500, most: 26_000 }
/** The command may be killed so often before one run of it is left alone. */
const KILLS = 4
const TRIES = 5
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
    const disturbed = (
      what: string,
      name: string,
      disturb?: (system: CellsSystem, over: AbortSignal) => Promise<void>,
    ) => ({
      what,
      name,
      kills: false,
      inject: (system: CellsSystem, signal: AbortSignal) => this.#move(what, system, signal, disturb),
    })
    const kill = (cell: () => CellName, name: string) => async (system: CellsSystem, over: AbortSignal) => {
      await this.#sometime(over)
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
      disturbed("move, the old cell's check-ins paused", 'checkin-2', async (system, over) => {
        await this.#sometime(over)
        await pause(system.cells[this.#home].pidOf('checkin-2'))
      }),
    ]
  }

  #sometime(over: AbortSignal): Promise<void> {
    const { least, most } = KILL_BETWEEN_MS
    return sleep(least + this.#chance.below(most - least), undefined, { signal: over }).catch(() => {})
  }

  async #move(
    what: string,
    system: CellsSystem,
    signal: AbortSignal,
    disturb?: (system: CellsSystem, over: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const over = new AbortController()
    const disturbing = disturb?.(system, AbortSignal.any([signal, over.signal]))
    let kills = what.includes('command') ? KILLS : 0
    let said = ''
    for (let tries = 0; ; ) {
      signal.throwIfAborted()
      const begun = now()
      const run = runMove(system, this.#home, this.#away)
      if (kills-- > 0) void this.#sometime(AbortSignal.any([signal, run.ended])).then(run.kill)
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

interface RunningMove {
  /** Its exit code, null if it was killed, and what it has said. */
  result: Promise<{ code: number | null; err: string }>
  ended: AbortSignal
  kill(): void
}

/** Runs the command in a process of its own. */
function runMove({ nats }: CellsSystem, from: CellName, to: CellName): RunningMove {
  const over = new AbortController()
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; err: string }>()
  const child = execFile(
    process.execPath,
    ['cli/main.ts', 'cell', 'move', SLUG, '--to', to],
    {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...bareEnv, NATS_URL: nats.urlOf(from, 'cli'), NAMESPACE: from },
    },
    (error, _out, err) => {
      over.abort()
      resolve({ code: error ? ((error.code as number | null | undefined) ?? null) : 0, err })
    },
  )
  return { result: promise, ended: over.signal, kill: () => void child.kill('SIGKILL') }
}
