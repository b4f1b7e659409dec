import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { files } from './resource.ts'
import type { StoredFileHead } from './store.ts'
import { suffixesOf } from './types.ts'

type GuestFile = Output<typeof files.actions.of_guests>[number]

/** Throws `not_found` unless the event has this guest. */
export async function checkGuest({ guests }: Dependencies, event_id: string, guest_id: string): Promise<void> {
  if (!(await guests.printed(event_id, guest_id))) throw notFound()
}

/** Returns files as they go out, with the labels of their guest fields. */
export async function shownFiles(
  { guestFieldClient, links }: Dependencies,
  event_id: string,
  heads: StoredFileHead[],
): Promise<GuestFile[]> {
  if (heads.length === 0) return []
  const fields = await guestFieldClient.list({ params: { event_id } })
  const labels = new Map(fields.map(({ key, label }) => [key, label]))
  return heads.map(({ guest_id, key, filename, content_type, size, created_at }) => ({
    guest_id,
    key,
    label: labels.get(key) ?? key,
    filename,
    content_type,
    size,
    url: links.ofFile(event_id, guest_id, key, suffixesOf(content_type)[0] ?? 'pdf'),
    created_at,
  }))
}

/** As {@link shownFiles}, for one file. */
export async function shownFile(
  dependencies: Dependencies,
  event_id: string,
  head: StoredFileHead,
): Promise<GuestFile> {
  return found((await shownFiles(dependencies, event_id, [head]))[0])
}
