import { createHash } from 'node:crypto'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import type { System } from '@gatehouse/test/harness/system.ts'
import { inject } from 'vitest'
import { complete, type StoredGuest } from '../guests/stored-guest.ts'
import { testGuest } from '../test-guest.ts'

/** Guests who are stored at once. */
const CHUNK = 200

/** Stores the guests of a large event as the guests service does, which by requests would take minutes. */
export async function storeGuests(
  { namespace }: Pick<System, 'namespace'>,
  event_id: string,
  guest_category_id: string,
  count: number,
): Promise<void> {
  const { db, close } = await openStore(inject('mongodbUrl'), namespace, 'guests')
  const guests = db.collection<StoredGuest>('guests')
  for (let from = 0; from < count; from += CHUNK)
    await guests.insertMany(
      Array.from({ length: CHUNK }, (_, index) => {
        const uid = `large-${from + index}`
        const _id = (from + index).toString(16).padStart(24, '0')
        return complete(testGuest({ _id, event_id, guest_category_id, uid, ...namesOf(uid) }))
      }),
    )
  await close()
}

const SYLLABLES = 'an ber chi da el fra go hu in ja ko lu ma ni or pe ra sa ti ul va wen yo zi'.split(' ')

/** Names that are as different as those of people: a first name of two syllables, a last name of three. */
function namesOf(uid: string): { first_name: string; last_name: string } {
  const bytes = createHash('sha256').update(uid).digest()
  const name = (from: number, to: number): string => {
    const small = [...bytes.subarray(from, to)].map((byte) => SYLLABLES[byte % SYLLABLES.length]).join('')
    return small.charAt(0).toUpperCase() + small.slice(1)
  }
  return { first_name: name(0, 2), last_name: name(2, 5) }
}
