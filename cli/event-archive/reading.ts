import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { withBytes } from './binaries.ts'
import { EVENT_FILE, MANIFEST, type Manifest, readManifest } from './manifest.ts'

/** Documents that are stored together, and the characters beyond which no more are. */
const BATCH = { documents: 500, characters: 2 * 1024 * 1024 }

/** An archive that is complete. */
export interface Archive {
  folder: string
  manifest: Manifest
  /** The event as a line. */
  event: string
}

/** Opens an archive. Throws one sentence if it is none, or lacks some of what it should have. */
export async function openArchive(folder: string): Promise<Archive> {
  const read = (file: string): Promise<string> =>
    readFile(join(folder, file), 'utf8').catch(() => {
      throw new Error(`${folder} is no archive of an event: it has no ${file}`)
    })
  const manifest = readManifest(await read(MANIFEST))
  const event = (await read(EVENT_FILE)).trim()
  if ((JSON.parse(event) as { _id?: unknown })._id !== manifest.event_id)
    throw new Error(`${EVENT_FILE} and ${MANIFEST} are of different events`)
  for (const { file, documents } of manifest.files) {
    let found = 0
    for await (const _ of linesOf(join(folder, file))) found++
    if (found !== documents) throw new Error(`${file} has ${found} records, but should have ${documents}`)
  }
  return { folder, manifest, event }
}

/** The documents of a file in batches: lines, and how many. */
export async function* batchesOf({ folder }: Archive, file: string): AsyncGenerator<{ lines: string; count: number }> {
  let batch: string[] = []
  let characters = 0
  for await (const line of linesOf(join(folder, file))) {
    const whole = await withBytes(line, folder, file.replace(/\.jsonl$/, ''))
    batch.push(whole)
    characters += whole.length
    if (batch.length < BATCH.documents && characters < BATCH.characters) continue
    yield { lines: batch.join('\n'), count: batch.length }
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield { lines: batch.join('\n'), count: batch.length }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const input = createReadStream(path, 'utf8')
  // Readers of lines give no error of their input.
  const failure = new Promise<never>((_, reject) => input.once('error', reject))
  failure.catch(() => {})
  await Promise.race([new Promise((resolve) => input.once('open', resolve)), failure])
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) if (line) yield line
}
