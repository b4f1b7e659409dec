import { dotted } from '@gatehouse/proto/pages/direction.ts'
import type { Outcome } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { guestWithUid } from './guest-names.ts'
import { checkInWords } from './refusal.ts'

/** Says what came of a check-in that was just made. */
export async function outcomeOf(made: Item, { say, times, names }: Outcome): Promise<string> {
  // It is made, whether its guest can be read or not.
  const guest = await guestWithUid(String(made.event_id), String(made.guest_uid)).catch(() => undefined)
  return dotted([guest?.name ?? String(made.guest_uid), ...checkInWords(say, times, made, names?.accesspoint_id)])
}
