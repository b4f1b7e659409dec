import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { TAR_END, tarEntries, tarEntry } from '@gatehouse/proto/formats/archives/tar.ts'

/** The entries of an archive by name, as latin1. */
export async function entriesOf(file: string): Promise<Record<string, string>> {
  const stream = (await openAsBlob(file)).stream().pipeThrough(new DecompressionStream('gzip'))
  const entries: Record<string, string> = {}
  for await (const { name, bytes } of tarEntries(stream)) entries[name] = Buffer.from(bytes).toString('latin1')
  return entries
}

/** Writes entries, given as latin1, as an archive. */
export async function writeEntries(file: string, entries: Record<string, string>): Promise<void> {
  const all = Object.entries(entries).map(([name, text]) =>
    tarEntry({ name, bytes: Buffer.from(text, 'latin1') }, new Date(0)),
  )
  await writeFile(file, gzipSync(Buffer.concat([...all, TAR_END])))
}
