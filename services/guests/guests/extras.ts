import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { FieldGetter } from '@gatehouse/proto/formats/raw-documents.ts'
import { badges, files } from '../permissions.ts'
import { addedLater, type GuestPresenter } from './presenter.ts'
import type { Guest, guests } from './resource.ts'
import type { StoredGuest } from './stored-guest.ts'

type GuestFlags = Call<(typeof guests)['actions']['read']>['query']
type GuestExtras = Pick<Guest, 'badge_url' | 'qrcode_url' | 'badges' | 'files'>

/** Returns a function that reads the parts of guests that are not stored with them, as the flags ask for them. */
export function extrasReader(presenter: GuestPresenter, bus: Bus) {
  const badgeClient = clientOf(bus, badges)
  const fileClient = clientOf(bus, files)

  return async (
    event_id: string,
    guest_ids: string[],
    flags: GuestFlags,
  ): Promise<(get: FieldGetter<StoredGuest>) => GuestExtras> => {
    const question = { body: { event_id, guest_ids } }
    const [allBadges, allFiles] = await Promise.all([
      flags.badges && guest_ids.length > 0 ? badgeClient.of_guests(question) : [],
      flags.files && guest_ids.length > 0 ? fileClient.of_guests(question) : [],
    ])
    const badgesOf = Map.groupBy(allBadges, ({ guest_id }) => guest_id)
    const filesOf = Map.groupBy(allFiles, ({ guest_id }) => guest_id)
    return (get) => ({
      // Present in each: stored or added.
      ...(addedLater(get) as object),
      ...presenter.linksOf(get, flags),
      ...(flags.badges && { badges: get('badge_completed') ? (badgesOf.get(get('_id')) ?? []) : [] }),
      ...(flags.files && { files: filesOf.get(get('_id')) ?? [] }),
    })
  }
}
