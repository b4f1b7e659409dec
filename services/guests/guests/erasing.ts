import { pseudonymOf } from '@gatehouse/proto/privacy/blanking.ts'
import type { ErasureCallbacks } from '@gatehouse/proto/privacy/serving.ts'
import { laterThan } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { StoredGuest } from './stored-guest.ts'

type ErasedGuest = Pick<StoredGuest, '_id' | 'uid' | 'updated_at'>

/** Erases guests as a change of each: the door refuses their uids from then on, and webhooks get what is left of them. */
export function guestErasure({
  lookups,
  presenter,
  changes,
  outbox,
}: Pick<Dependencies, 'lookups' | 'presenter' | 'changes' | 'outbox'>) {
  return {
    reads: ['updated_at'],

    async changing(event_id: string, guests: ErasedGuest[], change: () => Promise<void>, key: string): Promise<void> {
      const lost = guests.map(({ uid }) => uid)
      const uids = new Set([...lost, ...lost.map((uid) => pseudonymOf(uid, key))])
      const items = guests.map(({ _id, updated_at }) => ({ _id, updated_at }))
      const erase = async () => {
        await changes.leaving({ event_id, uids: lost, moved_from: null })
        await change()
        return lookups.withIds(
          event_id,
          guests.map(({ _id }) => _id),
        )
      }
      await outbox.publishing(
        { type: 'guest.updated', event_id, items },
        () => changes.changing({ event_id, uids, moved_from: null }, erase),
        (erased) => erased.map((guest) => presenter.forWebhooks(guest)),
      )
    },

    further: ({ updated_at }: ErasedGuest) => ({
      $set: { badge_completed: false, updated_at: laterThan(updated_at) },
      $unset: { badge_due: '', moving_to: '', host_mail_due: '' },
      // Who changes a guest as it was read has to read it again.
      $inc: { revision: 1 },
    }),
  } satisfies ErasureCallbacks<ErasedGuest>
}
