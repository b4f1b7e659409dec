import { type FieldErrors, invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { files } from './resource.ts'
import { checkGuest, shownFile } from './shown.ts'
import { typeOf } from './types.ts'

type UploadFile = typeof files.actions.upload

const MAX_NAME = 255

/** Stores a guest's file for a guest field; it replaces the previous one. */
export async function upload(
  dependencies: Dependencies,
  { params: { event_id, guest_id, key }, query, upload }: Call<UploadFile>,
): Promise<Output<UploadFile>> {
  const { files, guests, guestFieldClient } = dependencies
  const [fields] = await Promise.all([
    guestFieldClient.list({ params: { event_id } }),
    checkGuest(dependencies, event_id, guest_id),
  ])
  const field = found(fields.find((each) => each.key === key))
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
  await files.put({ ...file, bytes })
  // The cleanup after a guest who was deleted meanwhile may have run before the file was stored.
  if (!(await guests.printed(event_id, guest_id))) {
    await files.deleteOfGuests(event_id, [guest_id])
    throw notFound()
  }
  return shownFile(dependencies, event_id, { _id: '', ...file })
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
