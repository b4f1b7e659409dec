import { useState } from 'preact/hooks'
import { CheckInResult } from '../check-ins/cells.tsx'
import { checkIns } from '../check-ins/resource.ts'
import { idParamOf, itemPathOf, type PageProps } from '../resources/resource.ts'
import { asRefusal, client, type GatehouseError, type Item, newKey, post, remove } from '../server/server.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { ItemActions } from '../view/item-actions.tsx'
import { useLoaded } from '../view/loaded.ts'
import { useNames } from '../view/names.ts'
import { Options } from '../view/options.tsx'
import { Problem } from '../view/problem.tsx'
import { useTimes } from '../view/times.ts'
import { announce } from '../view/toasts.tsx'

const LIST = '/api/v1/events/{event_id}/access_controls.json'
/** The most that the API gives at once. */
const MOST = 500

/** The check-ins of a guest, the newest first (docs/interface.md 8.17), with ways to check in and to undo it. */
export function GuestCheckIns({ params, item }: PageProps & { item: Item }) {
  const { say } = useConsole()
  const times = useTimes()
  const event_id = params.event_id ?? ''
  const { value, error, reload } = useLoaded(
    async (signal) => {
      const query = { guest_uid: String(item.uid), per_page: MOST }
      return (await client.GET(LIST, { params: { path: { event_id }, query }, signal })).data
    },
    [item.uid],
  )
  const names = useNames(['accesspoint_id'], { event_id })
  const points = names?.accesspoint_id
  const mayChange = useMayChange()(checkIns.changes)
  return (
    <section class="part">
      <h2>{say('check_ins')}</h2>
      {error && <Problem error={error} retry={reload} />}
      {mayChange && points && points.size > 0 && (
        <CheckIn
          event_id={event_id}
          uid={String(item.uid)}
          party={Number(item.party_size ?? 1)}
          points={points}
          onDone={reload}
        />
      )}
      {value?.length === 0 && <p class="quiet">{say('check_ins_none')}</p>}
      {value && value.length > 0 && (
        <ul class="check-ins">
          {value.map((checkIn) => (
            <li key={checkIn._id}>
              <time dateTime={checkIn.access_stamp}>{times.at(checkIn.access_stamp)}</time>
              <span>{points?.get(checkIn.accesspoint_id) ?? '…'}</span>
              <span>
                <CheckInResult item={checkIn} names={names} />
              </span>
              {(checkIn.persons ?? 1) > 1 && <span>{say('persons_count', { count: checkIn.persons ?? 1 })}</span>}
              {checkIn.stamped_ahead && <span class="quiet">{say('check_in_stamped_ahead')}</span>}
              {mayChange && (
                <ItemActions
                  resource={checkIns}
                  params={{ event_id, [idParamOf(itemPathOf(checkIns))]: checkIn._id }}
                  item={checkIn}
                  onDone={reload}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface CheckInProps {
  event_id: string
  uid: string
  /** How many persons the guest and whoever comes along are. */
  party: number
  points: ReadonlyMap<string, string>
  onDone: () => void
}

/** Checks the guest in at a check-in point, by the rules of the door. */
function CheckIn({ event_id, uid, party, points, onDone }: CheckInProps) {
  const { say } = useConsole()
  const [point, setPoint] = useState([...points.keys()][0] ?? '')
  const [persons, setPersons] = useState(String(party))
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setSending(true)
    setError(undefined)
    try {
      const made = await post(
        LIST,
        { event_id },
        { accesspoint_id: point, guest_uid: uid, persons: Number(persons) },
        newKey(),
      )
      announce(say(`status_${made.access_status}` as TextKey), async () => {
        await remove(itemPathOf(checkIns), { event_id, [idParamOf(itemPathOf(checkIns))]: String(made._id) })
        onDone()
      })
      onDone()
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setSending(false)
  }
  return (
    <form class="buttons" onSubmit={(event) => void send(event)}>
      <select
        aria-label={say('field_accesspoint_id')}
        value={point}
        onChange={({ currentTarget }) => setPoint(currentTarget.value)}
      >
        <Options choices={points} />
      </select>
      {party > 1 && (
        <label class="persons">
          {say('check_in_persons')}
          <input
            type="number"
            min={1}
            max={party}
            required
            value={persons}
            onInput={({ currentTarget }) => setPersons(currentTarget.value)}
          />
        </label>
      )}
      <button type="submit" class="second" disabled={isSending}>
        {say('check_in')}
      </button>
      {error && <Problem error={error} />}
    </form>
  )
}
