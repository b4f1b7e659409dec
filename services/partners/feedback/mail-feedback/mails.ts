/*
 * Reads e-mails that strangers send. Each step is bounded, and reads on from where the last one ended: whatever an e-mail holds, reading it takes
 * no longer than its length allows.
 */

/** Characters of a header that are read, of one of a part, and the fields of each. */
const MAX_HEADER = 32 * 1024
const MAX_PART_HEADER = 8 * 1024
const MAX_FIELDS = 200
/** Characters of a field that says how a part is written. */
const MAX_TYPE = 2_000
/** Multiparts within each other. */
const MAX_DEPTH = 8
/** Parts, and multiparts among them. */
const MAX_PARTS = 50
/** Lines that begin as delimiters of parts do: what follows more of them is not read. */
const MAX_DELIMITERS = 2_000
/** Characters of a part that are read. */
const MAX_TEXT = 32 * 1024

/** Characters that are read of an e-mail whose lines end in CR alone. */
const MAX_CR_ONLY = 64 * 1024

/** The fields of a header by their names in lower case; those of the same name in order. */
export type Header = ReadonlyMap<string, readonly string[]>

/** A part of an e-mail that has no parts itself; an e-mail without parts is one. */
export interface Part {
  /** Its media type in lower case. */
  type: string
  header: Header
  /** The beginning of its content, decoded. */
  text(): string
}

/** An e-mail. A message in one of its parts is a part, whose own parts are not read. */
export interface ReadMail {
  header: Header
  parts: readonly Part[]
}

/** Reads an e-mail. One that no rule of MIME fits is read as far as it goes. */
export function readMail(bytes: Buffer | string): ReadMail {
  const raw = typeof bytes === 'string' ? bytes : bytes.toString('latin1')
  const text = raw.includes('\n') ? raw : raw.slice(0, MAX_CR_ONLY).replaceAll('\r', '\n')
  const start = startOf(text)
  const reader = new PartReader(text, start)
  return { header: headerAt(text, start).header, parts: reader.read() }
}

/** Reads a header that stands alone. */
export function readHeader(text: string): Header {
  return headerAt(text, startOf(text)).header
}

/** The first value of a field; an empty text if there is none. */
export function fieldOf(header: Header, name: string): string {
  return header.get(name)?.[0] ?? ''
}

/** The text of the first part that has one of the types. */
export function textOfPart({ parts }: ReadMail, types: readonly string[]): string | undefined {
  return parts.find(({ type }) => types.includes(type))?.text()
}

/** Where the header begins: after blank lines, and after the line that separates e-mails in a mailbox file. */
function startOf(text: string): number {
  let start = /^\s{0,100}/.exec(text)?.[0].length ?? 0
  // A first line that begins with a blank is no field of a header either.
  if (/^>?From /.test(text.slice(start, start + 6))) start = lineAfter(text, start)
  return start
}

function lineAfter(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

/** The header that begins at a place, and where the content after it begins. */
function headerAt(text: string, start: number, most = MAX_HEADER): { header: Header; end: number } {
  const window = text.slice(start, start + most)
  const blank = /^\r?\n|\n\r?\n/.exec(window)
  const lines = window.slice(0, blank?.index ?? window.length).split(/\r?\n(?![ \t])/, MAX_FIELDS)
  const header = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = unfolded(line.slice(colon + 1)).trim()
    const others = header.get(name)
    if (others) others.push(value)
    else header.set(name, [value])
  }
  return { header, end: start + (blank ? blank.index + blank[0].length : window.length) }
}

/** A text whose folded lines are put together (RFC 5322, 2.2.3). */
export function unfolded(text: string): string {
  return text.replaceAll(/\r?\n[ \t]+/g, ' ')
}

/** Reads the parts of an e-mail in one pass over the lines that begin with two hyphens. */
class PartReader {
  readonly #text: string
  readonly #start: number
  readonly #parts: Part[] = []
  #begun = 0
  /** The delimiters of the multiparts that are open, the outermost first. */
  readonly #open: string[] = []
  #leaf: { header: Header; type: string; from: number } | undefined

  constructor(text: string, start: number) {
    this.#text = text
    this.#start = start
  }

  read(): Part[] {
    this.#begin(this.#start)
    for (let at = this.#start - 1, count = 0; this.#isOpen && count < MAX_DELIMITERS; count++) {
      at = this.#text.indexOf('\n--', at)
      if (at < 0) break
      at = this.#delimiterAt(at)
    }
    this.#finish(this.#text.length)
    return this.#parts
  }

  get #isOpen(): boolean {
    return this.#open.length > 0 && this.#begun < MAX_PARTS
  }

  /** Ends and begins parts at a line that may be a delimiter; returns where to read on. */
  #delimiterAt(at: number): number {
    const line = this.#text.slice(at + 1, Math.min(lineAfter(this.#text, at + 1), at + 300)).trimEnd()
    const index = this.#open.findIndex((delimiter) => line === delimiter || line === `${delimiter}--`)
    if (index < 0) return at + 1
    this.#finish(at)
    const isLast = line !== this.#open[index]
    this.#open.length = isLast ? index : index + 1
    const next = lineAfter(this.#text, at + 1)
    return isLast ? next - 1 : this.#begin(next) - 1
  }

  /** Begins the part whose header is at a place; returns where its content begins. */
  #begin(at: number): number {
    this.#begun++
    const { header, end } = headerAt(this.#text, at, at === this.#start ? MAX_HEADER : MAX_PART_HEADER)
    const given = fieldOf(header, 'content-type').slice(0, MAX_TYPE)
    const type = (/^[\w.+-]+\/[\w.+-]+/.exec(given)?.[0] ?? 'text/plain').toLowerCase()
    const delimiter = type.startsWith('multipart/') ? this.#delimiterOf(given, end) : undefined
    if (delimiter === undefined) this.#leaf = { header, type, from: end }
    else if (this.#open.length < MAX_DEPTH) this.#open.push(delimiter)
    return end
  }

  /** The delimiter that a multipart names, or else the first line of its content that looks like one. */
  #delimiterOf(type: string, from: number): string | undefined {
    const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(type) ?? []
    const named = (quoted ?? plain)?.trimEnd()
    return named === undefined ? /^--\S{1,200}/m.exec(this.#text.slice(from, from + MAX_TYPE))?.[0] : `--${named}`
  }

  #finish(end: number): void {
    if (!this.#leaf) return
    const { header, type, from } = this.#leaf
    const content = this.#text.slice(from, Math.min(end, from + 2 * MAX_TEXT))
    this.#parts.push({ type, header, text: () => decoded(content, header).slice(0, MAX_TEXT) })
    this.#leaf = undefined
  }
}

/** The text of a part, whose bytes are the characters of its content. */
function decoded(content: string, header: Header): string {
  const bytes = bytesOf(content, fieldOf(header, 'content-transfer-encoding').toLowerCase())
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([\w-]{1,40})/i.exec(fieldOf(header, 'content-type').slice(0, MAX_TYPE)) ?? []
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString()
  }
}

function bytesOf(content: string, encoding: string): Buffer {
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'latin1')
  return encoding === 'quoted-printable' ? unquoted(bytes) : bytes
}

const [EQUALS, LINE_FEED, CARRIAGE_RETURN] = [0x3d, 0x0a, 0x0d]

/** The bytes that quoted-printable stands for (RFC 2045, 6.7). */
function unquoted(given: Buffer): Buffer {
  const bytes = Buffer.alloc(given.length)
  let length = 0
  for (let at = 0; at < given.length; at++) {
    const byte = given[at] as number
    const [first, second] = [given[at + 1], given[at + 2]]
    const code = byte === EQUALS ? Number.parseInt(given.toString('latin1', at + 1, at + 3), 16) : Number.NaN
    if (byte === EQUALS && first === LINE_FEED) at++
    else if (byte === EQUALS && first === CARRIAGE_RETURN && second === LINE_FEED) at += 2
    else if (byte === EQUALS && code >= 0) {
      bytes[length++] = code
      at += 2
    } else bytes[length++] = byte
  }
  return bytes.subarray(0, length)
}

/** The fields of a report by their names in lower case; of several the first. */
export function fieldsIn(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of unfolded(text).split(/\r?\n/, MAX_FIELDS)) {
    const [, name, value] = /^([\w-]{1,60}):(.*)/.exec(line) ?? []
    const key = name?.toLowerCase()
    if (key !== undefined && !fields.has(key)) fields.set(key, (value ?? '').trim())
  }
  return fields
}
