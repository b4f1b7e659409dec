import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { UPLOAD } from '../resource.ts'

/** A form as a browser sends it with a file. */
export interface UploadForm {
  /** Other fields than {@link PASTED}. */
  fields: Map<string, string>
  /** The UTF-8 text of {@link PASTED}; absent if it is blank. */
  pasted?: Buffer
  /** The file's content; absent if none was chosen. */
  file?: Buffer
}

/** The field of addresses. It may be as long as a file, and is read like one, in pieces. */
const PASTED = 'addresses'

/** Bytes that are read at once: a few milliseconds, whatever they are. */
const SLICE = 32 * 1024
const LIMITS = {
  fields: 10,
  files: 2,
  parts: 12,
  headerPairs: 20,
  fieldSize: 64 * 1024,
  fileSize: UPLOAD.maxBytes,
}

/** Delimiters of parts: a browser puts one before each, and one after the last. */
const MAX_DELIMITERS = 2 * LIMITS.parts

/** Reads a form of one file. Returns undefined if it cannot be read. */
export async function readUploadForm(bytes: Uint8Array, content_type: string): Promise<UploadForm | undefined> {
  const { promise, resolve } = Promise.withResolvers<UploadForm | undefined>()
  const form: UploadForm = { fields: new Map() }
  try {
    const reader = new Busboy({
      headers: { 'content-type': content_type } as BusboyHeaders,
      limits: LIMITS,
      isPartAFile: (name, _type, filename) => name === PASTED || filename !== undefined,
    })
    reader.on('field', (name, value) => form.fields.set(name, value))
    reader.on('file', (name, stream, filename) => {
      const chunks: Buffer[] = []
      let isBlank = true
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        isBlank &&= chunk.toString().trim() === ''
      })
      stream.on('end', () => {
        if (name !== PASTED) {
          // A browser sends an empty one without name if none was chosen.
          if (chunks.length > 0 || filename) form.file = Buffer.concat(chunks)
        } else if (!isBlank) form.pasted = Buffer.concat(chunks)
      })
      stream.on('error', () => resolve(undefined))
    })
    reader.on('error', () => resolve(undefined))
    reader.on('finish', () => resolve(form))
    const delimiter = delimiterOf(content_type)
    let delimiters = 0
    for (let at = 0; at < bytes.length; at += SLICE) {
      const slice = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(SLICE, bytes.length - at))
      await timeSlicer.run(() => {
        delimiters += occurrences(slice, delimiter)
        if (delimiters <= MAX_DELIMITERS) reader.write(slice)
      })
      // The reader would go on for seconds, and keep nothing of it.
      if (delimiters > MAX_DELIMITERS) return undefined
    }
    reader.end()
  } catch {
    resolve(undefined)
  }
  return promise
}

/** What parts begin with; `--` if the type names no boundary, which the reader refuses. */
function delimiterOf(content_type: string): string {
  return `--${/boundary="?([^";,\s]{1,200})/i.exec(content_type)?.[1] ?? ''}`
}

function occurrences(bytes: Buffer, sought: string): number {
  let count = 0
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + sought.length)) count++
  return count
}
