import { inPhase, type Phase, Unfinished } from '@gatehouse/test/load/phases.ts'
import { type DoorSystem, type RealSystem, type SystemPlan, startRealSystem } from '@gatehouse/test/load/system.ts'
import type { Invariants } from './invariants.ts'
import { DrillRecord } from './record.ts'

/** What all drills have in common. */
export interface RunOptions {
  /** A whole number; determines the load, and the order of faults. */
  seed: number
  /** Gets each line of progress. */
  say: (line: string) => void
  /** Factor for all promised times: 1 on a machine with nothing else to do. */
  slack: number
  /** Ends the drill at once. */
  interrupted?: AbortSignal
}

/** The result of a drill: without violations `record.violations` is empty. */
export interface DrillResult {
  record: DrillRecord
  invariants: Invariants
  /** A line for each comparison. */
  compared: string[]
  /** Further lines of the report. */
  details: string[]
}

/** Runs a phase of a drill with a deadline in ms, which is multiplied by the slack, and further ms. */
export type During = <T>(
  name: string,
  deadlineMs: number,
  work: (phase: Phase) => Promise<T>,
  moreMs?: number,
) => Promise<T>

const STARTING_MS = 180_000
const ENDING_MS = 60_000

/** Starts a real system and drills it, like {@link runPhasesOn}. */
export function runPhases(
  plan: SystemPlan,
  invariants: Invariants,
  options: RunOptions,
  drill: Drill<RealSystem>,
): Promise<DrillResult | undefined> {
  return runPhasesOn((phase) => startRealSystem(plan, options.say, phase), invariants, options, drill)
}

type Drill<System> = (system: System, result: DrillResult, during: During) => Promise<void>

/** Starts a system and drills it; undefined when interrupted. A phase that does not end is a violation; only in the start it throws. */
export async function runPhasesOn<System extends DoorSystem>(
  start: (phase: Phase) => Promise<System>,
  invariants: Invariants,
  { say, slack, interrupted }: RunOptions,
  drill: Drill<System>,
): Promise<DrillResult | undefined> {
  const record = new DrillRecord(slack)
  const result: DrillResult = { record, invariants, compared: [], details: [] }
  const during: During = (name, deadlineMs, work, moreMs = 0) =>
    inPhase(name, deadlineMs * slack + moreMs, { say, interrupted }, work)
  const broken = (error: unknown): void => {
    if (!(error instanceof Unfinished)) throw error
    record.violation('finished', 'a phase did not end', [error.message])
  }
  let starting: Promise<System> | undefined
  let system: System | undefined
  try {
    system = await during('starting', STARTING_MS, (phase) => (starting = start(phase)))
    await drill(system, result, during)
  } catch (error) {
    if (!interrupted?.aborted) {
      if (!system) throw error
      broken(error)
    }
  } finally {
    // An interruption must not stop the shutdown.
    await inPhase('ending', ENDING_MS * slack, { say }, async (phase) => {
      phase.waitFor('its processes to end')
      // A failed start ends its processes itself.
      await starting?.then(
        (started) => started.stop(),
        () => {},
      )
    }).catch(broken)
  }
  return interrupted?.aborted ? undefined : result
}
