/*
 * A page of an archive: records of one collection, each a line, then a line with a seal. A record with bytes, such as a guest's photo, has them
 * in an entry of its own before the page, which anybody can open; in their place the line names the entry.
 */

/** Records of a collection as they are stored and sent. */
export interface Page {
  /** `service.collection`. */
  collection: string
  /** Its entry. */
  name: string
  /** Each a line of MongoDB Extended JSON. */
  documents: string
  count: number
  /** By which the Gatehouse that made it knows it again. */
  seal: string | null
}

/** Bytes in a line, as MongoDB Extended JSON has them. */
interface Binary {
  $binary: { base64: string; subType: string }
}

/** What stands in a line for bytes that are in an entry. */
interface EntryReference {
  $file: string
}

type JsonDocument = Record<string, unknown> & { filename?: unknown }

const PLAIN = '00'
const LONGEST_NAME = 50
const PAGE_NAME = /^([a-z]+\.[a-z_]+)\/\d+\.jsonl$/

/** The name of a page's entry. */
export function pageName(collection: string, number: number): string {
  return `${collection}/${String(number).padStart(5, '0')}.jsonl`
}

/** The collection of an entry; undefined if it is no page. */
export function collectionOf(name: string): string | undefined {
  return PAGE_NAME.exec(name)?.[1]
}

/** Lines as an archive has them: `documents` whole, as they are sealed, `lines` without bytes, and the bytes as entries. */
export function withoutBytes(documents: string, pageName: string) {
  const files: { name: string; bytes: Uint8Array }[] = []
  if (!documents.includes('"$binary"')) return { documents, lines: documents, files }
  const place = pageName.replace(/\.jsonl$/, '')
  const whole: string[] = []
  const lines = documents.split('\n').map((line) => {
    const document = JSON.parse(line) as JsonDocument
    whole.push(JSON.stringify(document))
    for (const [field, value] of Object.entries(document)) {
      if (!isBinary(value)) continue
      const name = `${place}-${files.length + 1}-${nameOf(document, field)}`
      files.push({ name, bytes: Uint8Array.fromBase64(value.$binary.base64) })
      document[field] = { $file: name } satisfies EntryReference
    }
    return JSON.stringify(document)
  })
  return { documents: whole.join('\n'), lines: lines.join('\n'), files }
}

/** A line with the bytes of the entries that it names; `read` gives those. */
export function withBytes(line: string, read: (name: string) => Uint8Array): string {
  if (!line.includes('"$file"')) return line
  const document = JSON.parse(line) as JsonDocument
  for (const [field, value] of Object.entries(document)) {
    if (!isReference(value)) continue
    document[field] = { $binary: { base64: read(value.$file).toBase64(), subType: PLAIN } } satisfies Binary
  }
  return JSON.stringify(document)
}

/** The last line of a page. */
export function sealLine(seal: string): string {
  return JSON.stringify({ $seal: seal })
}

/** The seal that a line has; undefined if it has none. */
export function sealOf(line: string): string | undefined {
  if (!line.startsWith('{"$seal"')) return undefined
  const { $seal } = JSON.parse(line) as { $seal: unknown }
  return typeof $seal === 'string' ? $seal : undefined
}

/** A name that says what the bytes are: for guests' files that of their upload, in letters that every system takes. */
function nameOf({ filename }: JsonDocument, field: string): string {
  return typeof filename === 'string'
    ? filename.replace(/[^\w.-]+/g, '_').slice(-LONGEST_NAME)
    : field === 'png'
      ? `${field}.png`
      : field
}

function isBinary(value: unknown): value is Binary {
  const { base64, subType } = (value as Partial<Binary> | null)?.$binary ?? {}
  return typeof base64 === 'string' && subType === PLAIN
}

function isReference(value: unknown): value is EntryReference {
  return typeof (value as Partial<EntryReference> | null)?.$file === 'string'
}
