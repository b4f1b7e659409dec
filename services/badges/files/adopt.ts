import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { isErased } from '@gatehouse/proto/privacy/blanking.ts'
import { type Adopted, adoptEach } from '@gatehouse/proto/storage/adopting.ts'
import { untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { type files, MAX_BYTES } from './resource.ts'
import type { StoredFile } from './store.ts'
import { types } from './types.ts'

type Adopt = typeof files.actions.adopt
type GivenFile = Call<Adopt>['body'] extends (infer I)[] ? Exclude<I, { given?: unknown }> : never

/** The errors for a guest who is not here, and for bytes that are no file of a permitted type. */
const NO_GUEST = { guest_id: [messageOf('unknown_reference', { thing: 'a guest', owner: 'event' })] }
const WRONG_TYPE = { content: [messageOf('wrong_file_type', { type: types.map(({ name }) => name).join(', ') })] }

/** Takes over files of guests of another system. One that was uploaded here stays. */
export function adopt(
  dependencies: Dependencies,
  { query: { event_id, compares }, body }: Call<Adopt>,
): Promise<Output<Adopt>> {
  return adoptEach(body, (items) => {
    return Promise.all(items.map((item) => adoptOne(dependencies, event_id, item, compares)))
  })
}

async function adoptOne(
  { files, guests }: Dependencies,
  event_id: string,
  { guest_id, key, filename, content, created_at }: GivenFile,
  compares: boolean,
): Promise<Adopted> {
  const bytes = Buffer.from(content, 'base64')
  const type = types.find(({ begins }) => begins(bytes))
  if (!type) return { errors: WRONG_TYPE }
  if (bytes.length > MAX_BYTES) return { errors: { content: [messageOf('too_large', { limit: MAX_BYTES / 1024 })] } }
  const given = { event_id, guest_id, key, filename, content_type: type.media, size: bytes.length, created_at }
  return untilUnchanged('file', async (): Promise<Adopted | null> => {
    const stored = await files.get(event_id, guest_id, key)
    const fields = stored ? differencesOf(stored, { ...given, bytes }) : []
    if (stored && fields.length === 0) return { outcome: 'same' }
    if (compares || (stored && !stored.adopted)) return stored ? { outcome: 'differs', fields } : { outcome: 'missing' }
    const guest = await guests.printed(event_id, guest_id)
    if (!guest || isErased(guest.uid)) return { errors: NO_GUEST }
    if (!(await files.putAdopted({ ...given, bytes }, stored))) return null
    // The cleanup after a guest who was deleted meanwhile may have run before the file was stored.
    if (await guests.printed(event_id, guest_id)) return stored ? { outcome: 'updated', fields } : { outcome: 'stored' }
    await files.deleteOfGuests(event_id, [guest_id])
    return { errors: NO_GUEST }
  })
}

function differencesOf(
  stored: StoredFile,
  { bytes, ...given }: Omit<StoredFile, '_id' | 'bytes' | 'adopted'> & { bytes: Buffer },
): string[] {
  const names = (['filename', 'content_type'] as const).filter((name) => stored[name] !== given[name])
  return bytes.equals(stored.bytes.value()) ? names : [...names, 'content']
}
