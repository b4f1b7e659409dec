import { type DoorsDrillOptions, runDoorsDrill } from '../doors-drill.ts'
import { CELLS_INVARIANTS } from '../invariants.ts'
import type { DrillResult } from '../running.ts'
import { startCells } from './cells-system.ts'
import { Mover } from './moves.ts'

/** Starts two cells, moves an account between them under load, and compares its answers with what is stored; undefined when interrupted. */
export function runCellsDrill(options: DoorsDrillOptions): Promise<DrillResult | undefined> {
  return runDoorsDrill(
    {
      start: (phase) => startCells(options.say, phase),
      invariants: CELLS_INVARIANTS,
      scanners: 8,
      guestsPerSecond: 6,
      roundSeconds: 200,
      scanningMs: 900_000,
      recoveryMs: 30_000,
      kindsOf: ({ client, chance }, _, details) => new Mover(client, chance(), details).kinds(),
    },
    options,
  )
}
