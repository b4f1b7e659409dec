import { maybe, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** How long the first snapshot of a large event may take, with one retry. */
const LONGEST_MS = 30_000

/** Snapshots: what devices need to know to decide without a network. */
export const snapshots = resource('checkin.snapshots', 'snapshot', {
  read: {
    route: 'GET events/:event_id/snapshot',
    scope: 'door',
    summary:
      'What a device needs to know to decide without a network: check-in points, guest categories, guests by hashes of their uids, rights, and how often each guest was let in',
    query: record({
      since: maybe(
        text({
          pattern: '',
          description:
            'The `cursor` of the snapshot that the device has: the answer is the difference from it, or a whole snapshot if that is too old',
        }),
      ),
    }),
    produces: { json: 'application/json; charset=utf-8' },
    longestMs: LONGEST_MS,
  },
})
