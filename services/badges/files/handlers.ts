import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { disownEach } from '@gatehouse/proto/storage/adopting.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { adopt } from './adopt.ts'
import { read } from './read.ts'
import type { files } from './resource.ts'
import { checkGuest, shownFile, shownFiles } from './shown.ts'
import { upload } from './upload.ts'

/** Returns the handlers of guests' files. */
export function fileHandlers(dependencies: Dependencies): Handlers<typeof files> {
  return handlersOf<typeof files, Dependencies>(
    {
      async list(all, { params: { event_id, guest_id } }) {
        await checkGuest(all, event_id, guest_id)
        return shownFiles(all, event_id, await all.files.ofGuests(event_id, [guest_id]))
      },
      read,
      upload,
      adopt,
      disown: async ({ files }, { body: { event_id, ids } }) =>
        disownEach(ids, await files.withIds(event_id, ids), (file) => files.deleteAdopted(file)),
      async delete(all, { params: { event_id, guest_id, key } }) {
        await checkGuest(all, event_id, guest_id)
        const deleted = found(await all.files.delete(event_id, guest_id, key))
        return () => shownFile(all, event_id, deleted)
      },
      of_guests: async (all, { body: { event_id, guest_ids } }) =>
        shownFiles(all, event_id, await all.files.ofGuests(event_id, guest_ids)),
    },
    dependencies,
  )
}
