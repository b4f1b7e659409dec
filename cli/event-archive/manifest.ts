/** The format that this version writes and reads. */
const FORMAT = { format: 'gatehouse event archive', format_version: 1 } as const

/** The file that says what an archive has. */
export const MANIFEST = 'archive.json'
/** The file with the event itself. */
export const EVENT_FILE = 'event.json'
/** The file for whoever opens the archive. */
export const README = 'README.md'

/** What an archive says of itself. */
export interface Manifest {
  event_id: string
  account_id: string
  title: string
  /** The version of Gatehouse that made it. */
  gatehouse: string
  exported_at: string
  /** Files of documents, and how many each has. */
  files: { file: string; documents: number }[]
}

/** A manifest as text. */
export function written(manifest: Manifest): string {
  return `${JSON.stringify({ ...FORMAT, ...manifest }, undefined, 2)}\n`
}

/** Reads a manifest. Throws one sentence if it is none, or of a later version. */
export function readManifest(text: string): Manifest {
  const { format, format_version, ...manifest } = parsed(text)
  if (format !== FORMAT.format || !isManifest(manifest)) throw new Error(`${MANIFEST} is not that of an event archive`)
  if (format_version !== FORMAT.format_version)
    throw new Error(`The archive has the format ${format_version}, which this version of Gatehouse cannot read`)
  return manifest as Manifest
}

function parsed(text: string): Partial<Manifest> & { format?: unknown; format_version?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as object
  } catch {
    return {}
  }
}

const ID = /^[0-9a-f]{24}$/
const FILE = /^[a-z]+\.[a-z_]+\.jsonl$/

function isManifest({ event_id, account_id, files }: Partial<Manifest>): boolean {
  return [event_id, account_id].every((id) => ID.test(String(id))) && Array.isArray(files) && files.every(isFile)
}

function isFile(value: unknown): boolean {
  const { file, documents } = (value ?? {}) as Partial<Manifest['files'][number]>
  return typeof file === 'string' && FILE.test(file) && Number.isSafeInteger(documents)
}
