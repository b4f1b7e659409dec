import { dotted } from '@gatehouse/proto/pages/direction.ts'
import type { CellProps, ItemProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { useNames } from '../view/names.ts'
import { useTimes } from '../view/times.ts'
import { guestWithUid } from './guest-names.ts'
import { checkInWords } from './refusal.ts'

/** The guest of a check-in by name, with a link; the code where nobody has it. */
export function CheckInGuest({ item }: CellProps) {
  const [event_id, uid] = [String(item.event_id), String(item.guest_uid)]
  const { value: guest } = useLoaded(() => guestWithUid(event_id, uid), [event_id, uid])
  if (!guest) return <span class="quiet one-word">{uid}</span>
  return <a href={hrefOf('events', event_id, 'guests', guest._id)}>{guest.name}</a>
}

/** What a check-in is called: who, where and when. */
export function CheckInHeading({ item }: ItemProps) {
  const times = useTimes()
  const [event_id, uid] = [String(item.event_id), String(item.guest_uid)]
  const { value: guest } = useLoaded(() => guestWithUid(event_id, uid), [event_id, uid])
  const points = useNames(['accesspoint_id'], { event_id })?.accesspoint_id
  return (
    <>{dotted([guest?.name ?? uid, points?.get(String(item.accesspoint_id)), times.at(String(item.access_stamp))])}</>
  )
}

/** What a check-in has come to and why, and what the device decided if that was something else. */
export function CheckInResult({ item, names }: CellProps) {
  const { say } = useConsole()
  const times = useTimes()
  const { access_status, decided_offline, persons_too_many } = item as Record<string, number | string | null>
  const [status, ...why] = checkInWords(say, times, item, names?.accesspoint_id)
  const isConflict = decided_offline !== undefined && decided_offline !== null && decided_offline !== access_status
  return (
    <>
      <strong class={`status-${access_status}`}>{status}</strong>
      {why.map((each) => ` · ${each}`)}
      {isConflict && (
        <span class="quiet">{` · ${say('decided_by_device', { result: say(`status_${decided_offline}` as TextKey) })}`}</span>
      )}
      {typeof persons_too_many === 'number' && persons_too_many > 0 && (
        <span class="quiet">{` · ${say('persons_too_many', { count: persons_too_many })}`}</span>
      )}
    </>
  )
}
