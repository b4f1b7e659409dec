import { type FileEntry, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js'
import { type SaxesAttributePlain, SaxesParser } from 'saxes'
import { Fault } from '../../../declaring/faults.ts'
import { messageOf } from '../../../declaring/messages.ts'
import { refusedFile } from '../rows.ts'
import type { Slice } from '../slices.ts'

/** Bytes that all of a workbook may have when it is unpacked, where a reader gives no limit. */
const UNPACKED = 512 * 1024 * 1024
/** Bytes of XML that are read in one slice, a few milliseconds. */
const SLICE_BYTES = 16_384
/** Files in an archive. */
const MOST_FILES = 10_000
const DEEPEST = 100

/** What a reader of XML is told, with names without their prefixes. */
export interface XmlEvents {
  open(name: string, attribute: (name: string) => string | undefined): void
  text?(text: string): void
  close?(name: string): void
}

/** The files of a zip archive, unpacked piece by piece as they are read, and never more of them than is allowed. */
export class Archive {
  readonly #files: Map<string, FileEntry>
  readonly #slice: Slice
  readonly #limit: number
  #unpacked = 0

  private constructor(files: Map<string, FileEntry>, slice: Slice, limit: number) {
    this.#files = files
    this.#slice = slice
    this.#limit = limit
  }

  static async open(bytes: Uint8Array, slice: Slice, limit = UNPACKED): Promise<Archive> {
    return unlessDamaged(async () => {
      const options = { useWebWorkers: false, useCompressionStream: true }
      const files = new Map<string, FileEntry>()
      for await (const entry of new ZipReader(new Uint8ArrayReader(bytes), options).getEntriesGenerator()) {
        if (!entry.directory) files.set(entry.filename, entry)
        if (files.size > MOST_FILES) throw refusedFile(messageOf('damaged_file'))
      }
      return new Archive(files, slice, limit)
    })
  }

  has(name: string): boolean {
    return this.#files.has(name)
  }

  /** Reads a file of XML; nothing if it is not there. Throws if it is not well formed, or larger than all files may be. */
  async read(name: string, events: XmlEvents): Promise<void> {
    const file = this.#files.get(name)
    if (!file) return
    if (file.encrypted) throw refusedFile(messageOf('password_protected'))
    await unlessDamaged(async () => {
      const parser = parserOf(events)
      const decode = new TextDecoder()
      const write = async (chunk: Uint8Array): Promise<void> => {
        this.#unpacked += chunk.length
        if (this.#unpacked > this.#limit)
          throw refusedFile(messageOf('too_large_unpacked', { limit: this.#limit / 2 ** 20 }))
        for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
          const text = decode.decode(chunk.subarray(at, at + SLICE_BYTES), { stream: true })
          await this.#slice(() => parser.write(text))
        }
      }
      await file.getData(new WritableStream({ write }))
      parser.write(decode.decode()).close()
    })
  }
}

function parserOf({ open, text, close }: XmlEvents): SaxesParser {
  const parser = new SaxesParser()
  let depth = 0
  parser.on('error', () => {
    throw refusedFile(messageOf('damaged_file'))
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > DEEPEST) throw refusedFile(messageOf('damaged_file'))
    open(localName(name), (wanted) => attributeOf(attributes, wanted))
  })
  if (text) parser.on('text', text)
  parser.on('closetag', ({ name }) => {
    depth--
    close?.(localName(name))
  })
  return parser
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function attributeOf(attributes: Record<string, SaxesAttributePlain | string>, wanted: string): string | undefined {
  for (const [name, value] of Object.entries(attributes)) if (localName(name) === wanted) return String(value)
  return undefined
}

async function unlessDamaged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Fault ? error : refusedFile(messageOf('damaged_file'))
  }
}
