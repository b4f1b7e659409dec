import { clientOf, derivedId } from '@gatehouse/proto/bus/client.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { isObject } from '@gatehouse/proto/formats/json-reader.ts'
import { files } from '../permissions.ts'
import { retried } from '../retry.ts'
import { adopted } from './adopted.ts'
import { RefusedError } from './answers.ts'
import { goneFiles } from './gone.ts'
import type { Destination, Inner, SourceEvent, Taken } from './kind.ts'
import { idOf, type Source, type SourceItem } from './source.ts'

/** The files of guests, which stand in them. Each is read when it is not here yet, or compared. */
export const guestFiles: Inner = {
  name: 'files',
  of: (guests) =>
    guests.flatMap((guest) => {
      const { created_at, updated_at } = guest
      const shown = Array.isArray(guest.files) ? guest.files.filter(isObject) : []
      return shown.map((file) => ({
        created_at,
        updated_at,
        ...file,
        guest_id: idOf(guest),
        _id: `${idOf(guest)}/${file.key}`,
      }))
    }),
  async take(source, to, event, items) {
    const known = to.compares ? new Set() : await knownOf(to, event, items)
    return Promise.all(
      items.map(async (item): Promise<Taken> => {
        return known.has(identityOf(item)) ? { outcome: 'same' } : takeOne(source, to, event, item)
      }),
    )
  },
  gone: goneFiles,
}

const NOT_SHOWN = { errors: { url: [messageOf('empty')] } }

async function takeOne(source: Source, to: Destination, event: SourceEvent, item: SourceItem): Promise<Taken> {
  const bytes = await source.readFile(String(item.url ?? '')).catch((error: unknown) => {
    if (error instanceof RefusedError) return undefined
    throw error
  })
  if (!bytes) return NOT_SHOWN
  const _id = derivedId('file', event._id, String(item.guest_id), String(item.key))
  const content = bytes.toString('base64')
  const filename = item.filename ?? item.name ?? item.key
  const query = { event_id: event._id, compares: to.compares }
  const [taken] = await adopted(to.bus, files, query, [{ ...item, _id, filename, content }], event)
  return taken as Taken
}

/** The files that are here with the same name, type, size and time. */
async function knownOf(
  { bus }: Destination,
  { _id: event_id }: SourceEvent,
  items: SourceItem[],
): Promise<Set<string>> {
  const guest_ids = [...new Set(items.map(({ guest_id }) => String(guest_id)))]
  const here = await retried(() => clientOf(bus, files).of_guests({ body: { event_id, guest_ids } }))
  return new Set(here.map(identityOf))
}

function identityOf({ guest_id, key, filename, content_type, size, created_at }: SourceItem): string {
  const time = new Date(created_at as Date | string).getTime()
  return JSON.stringify([guest_id, key, filename, content_type, size, time])
}
