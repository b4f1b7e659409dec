import type { ListSource } from '@gatehouse/proto/formats/lists/list.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import type { Problem } from './problem.ts'

/** A row that can be imported, with the body that it becomes. */
export interface ImportableRow<B extends object = object> {
  row: ListRow
  body: B
}

/** A row that cannot be imported, and why. */
export interface UnimportableRow {
  row: ListRow
  problem: Problem
}

/** How some rows of a file are judged before anything is written. */
export interface ImportPlan<G extends ImportableRow> {
  fresh: G[]
  /** Imported by an earlier run. */
  alreadyThere: G[]
  bad: UnimportableRow[]
  /** What is odd about rows that can be imported. */
  warnings: UnimportableRow[]
  /** Things to create first. */
  missing: Missing[]
  /** Imported by an earlier run, but for what belongs to them: {@link RowImport.run} gets them too. */
  unfinished?: G[]
  /** Why rows do not belong here, such as `cancelled`: a word for each. */
  leftOut?: string[]
}

/** Something that rows need and the system does not have yet. */
export interface Missing {
  /** What it is, for people: `guest category`. */
  kind: string
  name: string
}

/** The result of importing some rows. */
export interface ImportResult {
  imported: number
  /** Imported by another run in the meantime. */
  alreadyThere: number
  bad: UnimportableRow[]
  /** What is odd about rows that were imported. */
  warnings?: UnimportableRow[]
  /** Rows not tried because the import was stopped. */
  left: number
}

/** What an import of tickets counts besides rows. */
export interface ImportCounts {
  /** Check-ins that are imported, or were imported before. */
  checkIns: number
  checkInsThere: number
  /** Tickets that were checked in at a time that the file does not say. */
  lackingTime: number
  /** New guest categories that may enter nowhere yet. */
  withoutRights: number
  /** Guests without a code in the file. */
  codeless: number
}

/** The import of one kind of row. An imported row is never imported again, however often the import runs. */
export interface RowImport<C, G extends ImportableRow> {
  /** Whether to create missing things. */
  readonly makesMissing: boolean
  /** How many chunks of a file are imported concurrently. */
  readonly width: number
  /** Whether a header names something that is known. */
  isKnown(header: string): boolean
  /** What each column holds. Throws one sentence for a `--map` that fits no column or names no field. */
  columnsOf(list: ListSource, overrides: ReadonlyMap<string, string> | undefined): Promise<C[]>
  /** What a column holds, for people. */
  describe(column: C): string
  /**
   * Returns a function that plans the next chunk of a file; it writes nothing. `isForMissing` if only what is missing is wanted of the plans, so that they
   * may leave out what costs more.
   */
  planner(columns: C[], form: ListForm, isForMissing: boolean): Promise<(rows: ListRow[]) => Promise<ImportPlan<G>>>
  /** Creates missing things; plan again afterwards. */
  createMissing(missing: Missing[]): Promise<void>
  /** Imports rows; calls `onDone` for each. Throws when the system does not answer for a minute. */
  run(rows: G[], stop: AbortSignal, onDone: () => void): Promise<ImportResult>
  /** What else was done, or would be. */
  readonly counts?: ImportCounts
}
