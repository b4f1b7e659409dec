import { type ArchiveDestination, importArchive } from '@gatehouse/proto/formats/archives/importing.ts'
import { ArchiveProblem, type Manifest } from '@gatehouse/proto/formats/archives/manifest.ts'
import type { Page } from '@gatehouse/proto/formats/archives/pages.ts'
import { contentsOf } from '@gatehouse/proto/formats/archives/reading.ts'
import { patiently } from '../server/patience.ts'
import { client, GatehouseError } from '../server/server.ts'

/*
 * Takes the archive of an event out, and brings one in. It is loaded when somebody does so.
 */

export { ArchiveProblem } from '@gatehouse/proto/formats/archives/manifest.ts'

/** How many records are done. */
export interface ArchiveProgress {
  done: number
  count: number
}

type OnProgress = (progress: ArchiveProgress) => void

/** It takes as long as it takes: no deadline. */
const patient = (request: Request): Promise<Response> => fetch(request)

/** Downloads the archive of an event. Throws an {@link ArchiveProblem} if it was cut off. */
export async function download(event_id: string, onProgress: OnProgress, signal: AbortSignal): Promise<Blob> {
  const { response } = await client.GET('/api/v1/events/{event_id}/archive.tgz', {
    ...{ params: { path: { event_id } }, parseAs: 'stream', signal, fetch: patient },
  })
  if (!response.body) throw new GatehouseError(0, 'There is no file')
  // What is read as an archive says how far it is, and whether it is whole.
  const [saved, read] = response.body.tee()
  const [file] = await Promise.all([new Response(saved).blob(), follow(read, onProgress)])
  return file
}

async function follow(stream: ReadableStream<Uint8Array<ArrayBuffer>>, onProgress: OnProgress): Promise<void> {
  let [done, count, isWhole] = [0, 0, false]
  for await (const each of contentsOf(stream)) {
    if ('manifest' in each) count = each.manifest.records
    if ('counts' in each) isWhole = true
    if ('page' in each) done += each.page.count
    onProgress({ done, count: Math.max(count, done) })
  }
  if (!isWhole) throw new ArchiveProblem('cut_off')
}

/** Imports an archive. Run it again where it was stopped. Returns its manifest, and how many records it has. */
export function upload(file: File, onProgress: OnProgress, stop: AbortSignal) {
  const at = (done: number, count: number): void => onProgress({ done, count })
  return importArchive(() => file.stream(), new HttpDestination(stop), at, stop)
}

/** The API as the destination of an archive. */
class HttpDestination implements ArchiveDestination {
  readonly #signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  async begin(manifest: Manifest, page: Page): Promise<void> {
    const body = bodyOf(manifest, page)
    await this.#send(() => client.POST('/api/v1/event_imports.json', { body, fetch: patient }))
  }

  async put(manifest: Manifest, page: Page): Promise<void> {
    const { event_id } = manifest
    const body = { event_id, collection: page.collection, ...bodyOf(manifest, page) }
    await this.#send(() => client.POST('/api/v1/event_imports/pages.json', { body, fetch: patient }))
  }

  async finish({ event_id: id }: Manifest): Promise<void> {
    const params = { path: { id } }
    await this.#send(() => client.POST('/api/v1/event_imports/{id}/finish.json', { params, fetch: patient }))
  }

  #send(send: () => Promise<unknown>): Promise<unknown> {
    return patiently(send, this.#signal)
  }
}

function bodyOf({ account_id }: Manifest, { documents, seal }: Page) {
  return { from_account_id: account_id, documents, seal: seal ?? '' }
}
