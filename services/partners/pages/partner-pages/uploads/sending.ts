import type { StoredCampaign } from '../../../campaigns/partner-campaigns/store.ts'
import { invite } from '../../../delivery/invitations/acceptance.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { UploadedRows } from './reading.ts'
import type { StoredUpload } from './store.ts'

/**
 * Invites the recipients of an upload, and notes what came of it. May run any number of times, also at once: an address is invited once, and
 * counts as invited by this upload if that was after its sending began.
 */
export async function sendUpload(
  dependencies: Dependencies,
  campaign: StoredCampaign,
  upload: StoredUpload,
  { good, bad, duplicates }: UploadedRows,
): Promise<void> {
  const began = await dependencies.uploads.begin(upload)
  const accepted = await invite(dependencies, campaign, good)
  const invited = Array.from(accepted.values()).filter(({ created_at }) => created_at >= began).length
  await dependencies.uploads.end(upload, {
    invited,
    already: accepted.size - invited,
    duplicates: duplicates.length,
    bad: bad.length,
    beyond: good.length - accepted.size,
  })
}
