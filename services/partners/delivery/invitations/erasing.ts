import type { ErasureCallbacks } from '@gatehouse/proto/privacy/serving.ts'
import type { StoredInvitation } from './store.ts'

/** Erases invitations. What a queued one still waits for ends by itself: it is blocked when its turn comes. */
export const invitationErasure: ErasureCallbacks<StoredInvitation> = {
  further: () => ({
    $set: { updated_at: new Date() },
    $unset: { answer_due: '', following: '', confirmation_due: '' },
  }),
}
