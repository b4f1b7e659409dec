/** The format that this version writes and reads. */
const FORMAT = { format: 'gatehouse event archive', format_version: 1 } as const

/** The first entry, which says what an archive is. */
export const MANIFEST = 'archive.json'
/** The entry for whoever opens the archive. */
export const README = 'README.md'
/** The entry with the event itself. */
export const EVENT_PAGE = 'guests.events/00001.jsonl'
/** The last entry, which says how many records each collection has: an archive without it was cut off. */
export const COUNTS = 'counts.json'
/** The suffix of archives. */
export const SUFFIX = 'tgz'

/** What an archive says of itself. */
export interface Manifest {
  event_id: string
  account_id: string
  title: string
  /** The version of Gatehouse that made it. */
  gatehouse: string
  exported_at: string
  /** How many records there were when it was begun; more may have come. */
  records: number
}

/** How many records an archive has of each collection, by `service.collection`. */
export type Counts = Record<string, number>

/** How many records an archive has. */
export function recordsOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Why an archive cannot be read. */
export type ArchiveFault = 'not_archive' | 'other_version' | 'cut_off' | 'wrong_count' | 'missing_file'

const sentences: Record<ArchiveFault, string> = {
  not_archive: 'The file is not an archive of an event',
  other_version: 'The archive has the format {found}, which this version of Gatehouse cannot read',
  cut_off: 'The archive was cut off: export the event again',
  wrong_count: '{file} has {found} records, but should have {expected}',
  missing_file: 'The archive has no file {file}, which {page} names',
}

/** An archive that cannot be read, and why. */
export class ArchiveProblem extends Error {
  readonly fault: ArchiveFault
  readonly params: Readonly<Record<string, string | number>>

  constructor(fault: ArchiveFault, params: Readonly<Record<string, string | number>> = {}) {
    super(sentences[fault].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? '')))
    this.fault = fault
    this.params = params
  }
}

/** A manifest as text. */
export function written(manifest: Manifest): string {
  return `${JSON.stringify({ ...FORMAT, ...manifest }, undefined, 2)}\n`
}

/** Reads a manifest. Throws an {@link ArchiveProblem} if it is none, or of another version. */
export function readManifest(text: string): Manifest {
  const { format, format_version, ...manifest } = parsed(text)
  if (format !== FORMAT.format || !isManifest(manifest)) throw new ArchiveProblem('not_archive')
  if (format_version !== FORMAT.format_version)
    throw new ArchiveProblem('other_version', { found: String(format_version) })
  return manifest as unknown as Manifest
}

/** Reads the counts of an archive. */
export function readCounts(text: string): Counts {
  return parsed(text) as Counts
}

function parsed(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}

const ID = /^[0-9a-f]{24}$/

function isManifest({ event_id, account_id, title, records }: Record<string, unknown>): boolean {
  return (
    [event_id, account_id].every((id) => ID.test(String(id))) &&
    typeof title === 'string' &&
    Number.isSafeInteger(records)
  )
}
