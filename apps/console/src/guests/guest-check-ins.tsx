import type { PlaceProps } from '../resources/resource.ts'
import { client, type Item } from '../server/server.ts'
import type { TextKey } from '../texts/texts.ts'
import { timeIn } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'

const LIST = '/api/v1/events/{event_id}/access_controls.json'
/** The most which the API gives at once. */
const PAGE = 500
/** Older ones are not looked through: the API lists those of all guests. */
const PAGES = 10

/** The check-ins of a guest, the newest first, among the newest 5,000 of the event. */
export function GuestCheckIns({ places, item }: PlaceProps & { item: Item }) {
  const { say, language } = useConsole()
  const event_id = places.event_id ?? ''
  const { value, error, reload } = useLoaded((signal) => checkInsOf(event_id, String(item.uid), signal), [item.uid])
  const names = useNames(['accesspoint_id'], { event_id })
  return (
    <section>
      <h2>{say('check_ins')}</h2>
      {error && <Problem error={error} retry={reload} />}
      {value?.length === 0 && <p class="quiet">{say('check_ins_none')}</p>}
      {value && value.length > 0 && (
        <ul class="check-ins">
          {value.map(({ _id, access_stamp, access_status, accesspoint_id }) => (
            <li key={_id}>
              <time dateTime={access_stamp}>{timeIn(language, access_stamp)}</time>
              <span>{names?.accesspoint_id?.get(accesspoint_id) ?? '…'}</span>
              <strong class={`status-${access_status}`}>{say(`status_${access_status}` as TextKey)}</strong>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

async function checkInsOf(event_id: string, uid: string, signal: AbortSignal) {
  const found = []
  for (let page = 1; page <= PAGES; page++) {
    const { data } = await client.GET(LIST, { params: { path: { event_id }, query: { page, per_page: PAGE } }, signal })
    found.push(...data.filter(({ guest_uid }) => guest_uid === uid))
    if (data.length < PAGE) break
  }
  return found
}
