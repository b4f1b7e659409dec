import { createHash } from 'node:crypto'
import type { eventDataOf } from '../../declaring/event-data.ts'
import { conflict } from '../../declaring/faults.ts'
import { messageOf } from '../../declaring/messages.ts'
import type { Body, Output } from '../../declaring/resource.ts'
import { GZIP_BEGINNING, type GzipPosition, gzipPart } from './gzip-parts.ts'
import { COUNTS, type Counts, EVENT_PAGE, MANIFEST, type Manifest, README, written } from './manifest.ts'
import { collectionOf, pageName, sealLine, withoutBytes } from './pages.ts'
import { readmeOf } from './readme.ts'
import { TAR_END, tarEntry } from './tar.ts'

/*
 * An archive is made in parts, so that no process holds all of it and any process can make the next one. It is read page by page from the services
 * that hold data of the event; a page of theirs is one of the archive.
 */

/** What each service holds of an event. */
type EventData = ReturnType<typeof eventDataOf>
/** What a service says of one of its collections. */
export type CollectionContents = Output<EventData['actions']['contents']>[number]

/** What is asked of a service. */
type Asking<Name extends 'contents' | 'read'> = (given: {
  body: Body<EventData['actions'][Name]>
}) => Promise<Output<EventData['actions'][Name]>>

/** Whose data is meant. */
export interface EventOfAccount {
  account_id: string
  event_id: string
}

/** What an archive is made of. */
export interface ArchiveSource {
  event: EventOfAccount
  /** The version of Gatehouse. */
  version: string
  /** Guests last: they then have come in as the check-ins say. */
  services: readonly { name: string; client: { contents: Asking<'contents'>; read: Asking<'read'> } }[]
  /** The event as a line, and its title. */
  read(): Promise<{ event: string; title: string }>
  /** How long to wait for what may wait for long, such as an e-mail to be sent, before it goes along as it is; a minute by default. */
  waitMs?: number
  /** Seals a page by its digest. */
  seal(digest: string): Promise<string>
}

/** Where a part begins. */
export interface ArchivePosition {
  gzip: GzipPosition
  /** Collections that are still to come, the first of which is in work. */
  todo: string[]
  /** How many pages of that one are done. */
  pages: number
  /** Where its next page begins. */
  after: string | null
  /** How many records each collection has so far. */
  counts: Counts
  exported_at: string
  /** All records, when the archive was begun. */
  records: number
  /** A record that other work is about to change, and since when the archive waits for it, in ms since 1970. */
  unfinished?: { record: string; since: number } | undefined
  /** Whether it has waited for long enough: what waits for its time goes along. */
  takes_waiting?: true
}

/** A part of an archive, and where the next one begins. */
export interface ArchivePart {
  bytes: Uint8Array
  counts: Counts
  next?: ArchivePosition
}

/** Where a part has this much, before it is compressed, or has taken this long, it ends. */
const PART = { bytes: 4 * 1024 * 1024, ms: 500 }
/** How long an archive waits for work on a record to end. */
const PATIENCE_MS = 60_000

/** Makes a part of an archive; without a position the first one. */
export async function archivePart(source: ArchiveSource, from?: ArchivePosition): Promise<ArchivePart> {
  const begun = from ? { entries: [], position: from } : await beginning(source)
  const { entries, position } = begun
  const at = new Date(position.exported_at)
  const until = performance.now() + PART.ms
  let size = 0
  while (position.todo.length > 0 && size < PART.bytes && performance.now() < until) {
    const made = await nextPage(source, position)
    if (!made) break
    entries.push(...made)
    for (const { bytes } of made) size += bytes.length
  }
  const isLast = position.todo.length === 0
  if (isLast) entries.push(entryOf(COUNTS, `${JSON.stringify(position.counts, undefined, 2)}\n`))
  const tar = Buffer.concat([...entries.map((each) => tarEntry(each, at)), ...(isLast ? [TAR_END] : [])])
  const { bytes, end } = await gzipPart(tar, position.gzip, { isLast })
  const { counts } = position
  return isLast ? { bytes, counts } : { bytes, counts, next: { ...position, gzip: end } }
}

/** What a page is sealed by. */
export function digestOf({ account_id, event_id }: EventOfAccount, collection: string, documents: string): string {
  return createHash('sha256')
    .update(JSON.stringify([account_id, event_id, collection, documents]))
    .digest('hex')
}

async function beginning(source: ArchiveSource) {
  const { event, services, version } = source
  const { event: line, title } = await source.read()
  const collections: (CollectionContents & { collection: string })[] = []
  for (const { name, client } of services)
    for (const each of await client.contents({ body: event }))
      collections.push({ ...each, collection: `${name}.${each.name}` })
  const travelling = collections.filter(({ holds }) => holds !== null)
  const records = travelling.reduce((sum, { count }) => sum + count, 0)
  const exported_at = new Date().toISOString()
  const manifest: Manifest = { ...event, title, gatehouse: version, exported_at, records }
  const entries = [
    entryOf(MANIFEST, written(manifest)),
    entryOf(README, readmeOf(manifest, collections)),
    ...(await pageEntries(source, EVENT_PAGE, line)),
  ]
  const todo = travelling.map(({ collection }) => collection)
  const position: ArchivePosition = {
    gzip: GZIP_BEGINNING,
    todo,
    pages: 0,
    after: null,
    counts: {},
    exported_at,
    records,
  }
  return { entries, position }
}

/** The entries of the next page, and moves the position behind it; undefined if other work is about to change one of its records. */
async function nextPage(source: ArchiveSource, position: ArchivePosition) {
  const [collection = ''] = position.todo
  const [service, name = ''] = collection.split('.')
  const client = source.services.find((each) => each.name === service)?.client
  if (!client) throw new Error(`There is no service ${service}`)
  const { after, takes_waiting } = position
  const asked = { ...source.event, collection: name, after, ...(takes_waiting && { takes_waiting }) }
  const page = await client.read({ body: asked })
  if (page.unfinished !== null) {
    position.unfinished ??= { record: `${collection} ${page.unfinished}`, since: Date.now() }
    if (Date.now() >= position.unfinished.since + patienceOf(source, position)) losePatience(position)
    return undefined
  }
  position.unfinished = undefined
  position.counts[collection] = (position.counts[collection] ?? 0) + page.count
  position.after = page.next
  position.pages++
  const made = page.count === 0 ? [] : await pageEntries(source, pageName(collection, position.pages), page.documents)
  if (page.next === null) {
    position.todo.shift()
    position.pages = 0
  }
  return made
}

function patienceOf({ waitMs = PATIENCE_MS }: ArchiveSource, { takes_waiting }: ArchivePosition): number {
  return takes_waiting ? PATIENCE_MS : waitMs
}

/** Has an archive take along what waits for its time; one that does so already throws, with the record that is about to change. */
export function losePatience(position: ArchivePosition): void {
  const { unfinished, takes_waiting } = position
  if (takes_waiting) throw conflict(messageOf('record_unfinished', { record: unfinished?.record ?? '' }))
  position.takes_waiting = true
  position.unfinished = undefined
}

async function pageEntries({ event, seal }: ArchiveSource, name: string, given: string) {
  const { documents, lines, files } = withoutBytes(given, name)
  const sealed = await seal(digestOf(event, collectionOf(name) ?? '', documents))
  return [...files, entryOf(name, `${lines}\n${sealLine(sealed)}\n`)]
}

function entryOf(name: string, text: string) {
  return { name, bytes: new TextEncoder().encode(text) }
}
