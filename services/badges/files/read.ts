import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Call, Download, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { files } from './resource.ts'
import { checkGuest, shownFile } from './shown.ts'
import { suffixesOf } from './types.ts'

type Read = typeof files.actions.read

/** Returns what is known of a file, or with a suffix of its type the file itself. */
export async function read(
  dependencies: Dependencies,
  { params: { event_id, guest_id, key }, format }: Call<Read>,
): Promise<Output<Read> | Download> {
  const { files } = dependencies
  await checkGuest(dependencies, event_id, guest_id)
  if (format === 'json' || format === 'xml')
    return shownFile(dependencies, event_id, found(await files.head(event_id, guest_id, key)))
  const file = await files.get(event_id, guest_id, key)
  if (!file || !suffixesOf(file.content_type).includes(format)) throw notFound()
  return { bytes: file.bytes.value(), content_type: file.content_type, filename: file.filename }
}
