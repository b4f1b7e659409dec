import { hrefOf } from '../route/route.ts'
import type { Item } from '../server/server.ts'
import { named, type TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { guestWithUid } from './guest-names.ts'

/** The guest of a check-in by name, with a link; the code where nobody has it. */
export function CheckInGuest({ item }: { item: Item }) {
  const [event_id, uid] = [String(item.event_id), String(item.guest_uid)]
  const { value: guest } = useLoaded(() => guestWithUid(event_id, uid), [event_id, uid])
  if (!guest) return <span class="quiet">{uid}</span>
  return <a href={hrefOf('events', event_id, 'guests', guest._id)}>{guest.name}</a>
}

/** What a check-in has come to and why, and what the device decided if that was something else. */
export function CheckInResult({ item }: { item: Item }) {
  const { say } = useConsole()
  const { access_status, decided_offline, reason, persons_too_many } = item as Record<string, number | string | null>
  const words = (status: unknown): string => say(`status_${status}` as TextKey)
  const isConflict = decided_offline !== undefined && decided_offline !== null && decided_offline !== access_status
  return (
    <>
      <strong class={`status-${access_status}`}>{words(access_status)}</strong>
      {typeof reason === 'string' && Number(access_status) === 2 && ` · ${named(say, 'reason', reason)}`}
      {item.direction === 'out' && ` · ${say('choice_out')}`}
      {isConflict && <span class="quiet">{` · ${say('decided_by_device', { result: words(decided_offline) })}`}</span>}
      {typeof persons_too_many === 'number' && persons_too_many > 0 && (
        <span class="quiet">{` · ${say('persons_too_many', { count: persons_too_many })}`}</span>
      )}
    </>
  )
}
