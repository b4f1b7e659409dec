import { lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/*
 * A document with bytes, such as a guest's photo, has them in a file of its own, which anybody can open; in their place the line names the file.
 */

/** Bytes in a line, as MongoDB Extended JSON has them. */
interface Binary {
  $binary: { base64: string; subType: string }
}

/** What stands in a line for bytes that are in a file. */
interface FileReference {
  $file: string
}

type JsonDocument = Record<string, unknown> & { _id: string; filename?: unknown }

const LONGEST_NAME = 80

/** Writes the bytes of a line into files below the folder, in `place`. Returns the line that names them. */
export async function withoutBytes(line: string, folder: string, place: string): Promise<string> {
  if (!line.includes('"$binary"')) return line
  const document = JSON.parse(line) as JsonDocument
  for (const [field, value] of Object.entries(document)) {
    if (!isBinary(value)) continue
    const $file = `${place}/${nameOf(document, field)}`
    await mkdir(join(folder, place), { recursive: true })
    await writeFile(join(folder, $file), Buffer.from(value.$binary.base64, 'base64'))
    document[field] = { $file } satisfies FileReference
  }
  return JSON.stringify(document)
}

/** Returns a line with the bytes of the files that it names. Throws one sentence if one is missing, or is not of the archive. */
export async function withBytes(line: string, folder: string, place: string): Promise<string> {
  if (!line.includes('"$file"')) return line
  const document = JSON.parse(line) as JsonDocument
  for (const [field, value] of Object.entries(document)) {
    if (!isReference(value)) continue
    const bytes = await readOwn(folder, place, value.$file)
    document[field] = { $binary: { base64: bytes.toString('base64'), subType: '00' } } satisfies Binary
  }
  return JSON.stringify(document)
}

/** Reads a file of the archive, and no other that a name or a link might lead to. */
async function readOwn(folder: string, place: string, name: string): Promise<Buffer> {
  const path = join(folder, name)
  const isNamedHere = dirname(name) === place
  const isHere = isNamedHere && (await realpath(path).catch(() => '')) === join(await realpath(folder), name)
  if (!isHere || !(await lstat(path)).isFile()) throw new Error(`The archive has no file ${name}`)
  return readFile(path)
}

/** A name that says what the file is: for guests' files that of its upload, without what no file system takes. */
function nameOf({ _id, filename }: JsonDocument, field: string): string {
  const id = _id.replace(/[^\w-]+/g, '_')
  if (typeof filename !== 'string') return field === 'png' ? `${id}.png` : id
  return `${id}-${filename.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(-LONGEST_NAME)}`
}

function isBinary(value: unknown): value is Binary {
  return typeof (value as Partial<Binary> | null)?.$binary?.base64 === 'string'
}

function isReference(value: unknown): value is FileReference {
  return typeof (value as Partial<FileReference> | null)?.$file === 'string'
}
