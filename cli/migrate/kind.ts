import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import type { Source, SourceItem } from './source.ts'

/** What became of a thing. */
export type Taken =
  | { outcome: 'stored' | 'same' | 'missing' }
  | { outcome: 'updated' | 'differs'; fields: string[] }
  | { errors: FieldErrors }

/** Where things go to, and whether they are only compared. */
export interface Destination {
  bus: Bus
  account_id: string
  compares: boolean
}

/** An event of the other system. */
export type SourceEvent = SourceItem & { _id: string }

/** What became of a thing that is gone there. */
export type GoneOutcome = 'deleted' | 'kept' | 'own' | 'missing'

/** A kind of things of an event. */
export interface Kind {
  /** As in the paths: `guests`. */
  name: string
  /** How the event counts them, if it does. */
  counter?: 'guest_count' | 'check_in_count' | 'signature_count'
  /** Reads all of an event, in parts. */
  read(source: Source, event: SourceEvent): AsyncGenerator<SourceItem[]>
  /** Reads what is new, or has changed since a time, the newest first; absent for a kind that is read as a whole. */
  readNews?(source: Source, event: SourceEvent, since: Date): AsyncGenerator<SourceItem[]>
  /** Stores or compares some of an event. */
  take(to: Destination, event: SourceEvent, items: SourceItem[]): Promise<Taken[]>
  /** How what is gone there goes here too; absent for a kind that stays. */
  gone?: GoneKind
  /** What stands in its things. */
  inner?: Inner
}

/** Things that stand in those of another kind. */
export interface Inner {
  name: string
  of(items: SourceItem[]): SourceItem[]
  /** Stores or compares some of an event. */
  take(source: Source, to: Destination, event: SourceEvent, items: SourceItem[]): Promise<Taken[]>
  /** How what is gone there goes here too. */
  gone: GoneKind
}

/** How things go here that are gone there. */
export interface GoneKind {
  /** The ids of those that are here. */
  here(to: Destination, event: SourceEvent): AsyncIterable<string>
  /** Deletes those that came from there and have not changed here. */
  disown(to: Destination, event: SourceEvent, ids: string[]): Promise<GoneOutcome[]>
  /** Whether the other system shows a thing by its id though its list does not; absent if only its list shows it. */
  isThere?(source: Source, event: SourceEvent, id: string): Promise<boolean>
}
