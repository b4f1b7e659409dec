import {
  type ArchiveFault,
  ArchiveProblem,
  COUNTS,
  type Counts,
  MANIFEST,
  type Manifest,
  readCounts,
  readManifest,
} from './manifest.ts'
import { collectionOf, type Page, sealOf, withBytes } from './pages.ts'
import { BrokenTar, type TarEntry, tarEntries } from './tar.ts'

/** Opens an archive from its beginning, as often as it is asked. */
export type OpenArchive = () => ReadableStream<Uint8Array<ArrayBuffer>>

/** Reads all of an archive, to find out whether it is whole. Throws an {@link ArchiveProblem} if not. */
export async function checkArchive(
  open: OpenArchive,
  stop?: AbortSignal,
): Promise<{ manifest: Manifest; counts: Counts }> {
  const found: Counts = {}
  let manifest: Manifest | undefined
  let counts: Counts | undefined
  for await (const each of contentsOf(open(), stop)) {
    if ('manifest' in each) manifest = each.manifest
    else if ('counts' in each) counts = each.counts
    else found[each.page.collection] = (found[each.page.collection] ?? 0) + each.page.count
  }
  if (!manifest) throw new ArchiveProblem('not_archive')
  if (!counts) throw new ArchiveProblem('cut_off')
  for (const [file, expected] of Object.entries(counts))
    if ((found[file] ?? 0) !== expected)
      throw new ArchiveProblem('wrong_count', { file, found: found[file] ?? 0, expected })
  return { manifest, counts }
}

/** What an archive has, in its order. Throws an {@link ArchiveProblem} if it is none, or was cut off. */
export async function* contentsOf(
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  stop?: AbortSignal,
): AsyncGenerator<{ manifest: Manifest } | { page: Page } | { counts: Counts }> {
  let files = new Map<string, Uint8Array>()
  let isFirst = true
  for await (const { name, bytes: content } of entriesOf(bytes)) {
    stop?.throwIfAborted()
    if (isFirst) {
      if (name !== MANIFEST) throw new ArchiveProblem('not_archive')
      yield { manifest: readManifest(textOf(content)) }
    } else if (name === COUNTS) yield { counts: readCounts(textOf(content)) }
    else if (collectionOf(name) === undefined) files.set(name, content)
    else {
      yield { page: pageOf(name, content, files) }
      files = new Map()
    }
    isFirst = false
  }
}

function pageOf(name: string, content: Uint8Array, files: ReadonlyMap<string, Uint8Array>): Page {
  const read = (file: string): Uint8Array => {
    const found = files.get(file)
    if (!found) throw new ArchiveProblem('missing_file', { file, page: name })
    return found
  }
  const lines = textOf(content).split('\n').filter(Boolean)
  const seal = sealOf(lines.at(-1) ?? '')
  if (seal !== undefined) lines.pop()
  const documents = lines.map((line) => withBytes(line, read)).join('\n')
  return { collection: collectionOf(name) ?? '', name, documents, count: lines.length, seal: seal ?? null }
}

async function* entriesOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<TarEntry> {
  let any = false
  try {
    for await (const entry of tarEntries(piecesOf(bytes.pipeThrough(new DecompressionStream('gzip'))))) {
      any = true
      yield entry
    }
  } catch (error) {
    if (error instanceof ArchiveProblem || (error instanceof DOMException && error.name === 'AbortError')) throw error
    const isCutOff = any && (!(error instanceof BrokenTar) || error.isCutOff)
    throw new ArchiveProblem((isCutOff ? 'cut_off' : 'not_archive') satisfies ArchiveFault)
  }
}

/** A stream as pieces; not every browser gives these by itself. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
