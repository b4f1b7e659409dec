import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { type FieldErrors, invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers, Output } from '@gatehouse/proto/declaring/resource.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import type { Db } from 'mongodb'
import type { Guests } from '../guests.ts'
import type { PublicLinks } from '../links.ts'
import { guestFields } from '../permissions.ts'
import type { files } from './resource.ts'
import { FileStore, type StoredFileHead } from './store.ts'
import { suffixesOf, typeOf } from './types.ts'

type GuestFile = Output<(typeof files)['actions']['read']>

const MAX_NAME = 255

/** The handlers of guests' files. */
export async function fileHandlers(
  db: Db,
  guests: Guests,
  links: PublicLinks,
  bus: Bus,
): Promise<Handlers<typeof files>> {
  const store = await prepared(new FileStore(db))
  const fieldClient = clientOf(bus, guestFields)

  /** The guest fields of an event by their keys. */
  async function fieldsOf(event_id: string) {
    const fields = await fieldClient.list({ params: { event_id } })
    return new Map(fields.map((field) => [field.key, field]))
  }

  async function shown(event_id: string, heads: StoredFileHead[]): Promise<(GuestFile & { guest_id: string })[]> {
    if (heads.length === 0) return []
    const fields = await fieldsOf(event_id)
    return heads.map(({ guest_id, key, filename, content_type, size, created_at }) => ({
      guest_id,
      key,
      label: fields.get(key)?.label ?? key,
      filename,
      content_type,
      size,
      url: links.ofFile(event_id, guest_id, key, suffixesOf(content_type)[0] ?? 'pdf'),
      created_at,
    }))
  }

  async function shownOne(event_id: string, head: StoredFileHead | null): Promise<GuestFile> {
    const [file] = head ? await shown(event_id, [head]) : []
    if (!file) throw notFound()
    return file
  }

  async function checkGuest(event_id: string, guest_id: string): Promise<void> {
    if (!(await guests.printed(event_id, guest_id))) throw notFound()
  }

  return {
    async list({ params: { event_id, guest_id } }) {
      await checkGuest(event_id, guest_id)
      return shown(event_id, await store.ofGuests(event_id, [guest_id]))
    },

    async read({ params: { event_id, guest_id, key }, format }) {
      await checkGuest(event_id, guest_id)
      if (format === 'json' || format === 'xml') return shownOne(event_id, await store.head(event_id, guest_id, key))
      const file = await store.get(event_id, guest_id, key)
      if (!file || !suffixesOf(file.content_type).includes(format)) throw notFound()
      return { bytes: file.bytes.value(), content_type: file.content_type, filename: file.filename }
    },

    async upload({ params: { event_id, guest_id, key }, query, upload }) {
      const [field] = await Promise.all([
        fieldsOf(event_id).then((all) => all.get(key)),
        checkGuest(event_id, guest_id),
      ])
      if (!field) throw notFound()
      const bytes = Buffer.from(upload.bytes)
      const type = typeOf(upload.content_type)
      const errors: FieldErrors = {
        ...(field.type !== 'file' && { key: [messageOf('not_file_field')] }),
        ...(!type.begins(bytes) && { file: [messageOf('wrong_file_type', { type: type.name })] }),
      }
      if (Object.keys(errors).length > 0) throw invalid(errors)
      const file = {
        event_id,
        guest_id,
        key,
        filename: nameOf(query.filename) || `${key}.${type.suffixes[0]}`,
        content_type: type.media,
        size: bytes.length,
        created_at: new Date(),
      }
      await store.put({ ...file, bytes })
      // The cleanup after a guest who was deleted meanwhile may have run before the file was stored.
      if (!(await guests.printed(event_id, guest_id))) {
        await store.deleteOfGuests(event_id, [guest_id])
        throw notFound()
      }
      return shownOne(event_id, { _id: '', ...file })
    },

    async delete({ params: { event_id, guest_id, key } }) {
      await checkGuest(event_id, guest_id)
      const deleted = await store.delete(event_id, guest_id, key)
      if (!deleted) throw notFound()
      return () => shownOne(event_id, deleted)
    },

    async of_guests({ body: { event_id, guest_ids } }) {
      return shown(event_id, await store.ofGuests(event_id, guest_ids))
    },
  }
}

/** A file's name without folders and characters that file systems do not allow. */
function nameOf(given = ''): string {
  const name = given.split(/[/\\]/).at(-1) ?? ''
  return name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .trim()
    .slice(0, MAX_NAME)
}
