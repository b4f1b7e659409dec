import type { PageProps } from '../resources/resource.ts'
import { client, type Item } from '../server/server.ts'
import type { TextKey } from '../texts/words.ts'
import { timeIn } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'

const LIST = '/api/v1/events/{event_id}/access_controls.json'
/** The most that the API gives at once. */
const MOST = 500

/** The check-ins of a guest, the newest first (docs/interface.md 8.17). */
export function GuestCheckIns({ params, item }: PageProps & { item: Item }) {
  const { say, language } = useConsole()
  const event_id = params.event_id ?? ''
  const { value, error, reload } = useLoaded(
    async (signal) => {
      const query = { guest_uid: String(item.uid), per_page: MOST }
      return (await client.GET(LIST, { params: { path: { event_id }, query }, signal })).data
    },
    [item.uid],
  )
  const names = useNames(['accesspoint_id'], { event_id })
  return (
    <section>
      <h2>{say('check_ins')}</h2>
      {error && <Problem error={error} retry={reload} />}
      {value?.length === 0 && <p class="quiet">{say('check_ins_none')}</p>}
      {value && value.length > 0 && (
        <ul class="check-ins">
          {value.map(({ _id, access_stamp, access_status, accesspoint_id, stamped_ahead }) => (
            <li key={_id}>
              <time dateTime={access_stamp}>{timeIn(language, access_stamp)}</time>
              <span>{names?.accesspoint_id?.get(accesspoint_id) ?? '…'}</span>
              <strong class={`status-${access_status}`}>{say(`status_${access_status}` as TextKey)}</strong>
              {stamped_ahead && <span class="quiet">{say('check_in_stamped_ahead')}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
