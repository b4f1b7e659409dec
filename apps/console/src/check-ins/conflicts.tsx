import { dotted } from '@gatehouse/proto/pages/direction.ts'
import type { ListColumn } from '../list/column.ts'
import { client, type Item } from '../server/server.ts'
import type { Times } from '../texts/times.ts'
import type { ConsoleSay, TextKey } from '../texts/words.ts'
import { Nothing } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { useTimes } from '../view/times.ts'
import { type PointNames, refusalWords } from './refusal.ts'

const LIST = '/api/v1/events/{event_id}/access_controls.json'
/** Check-ins of the guest that are named. */
const MOST = 5

/** The columns of check-ins that a device decided otherwise, side by side: what either decided, and the guest's other check-ins. */
export function conflictColumns(say: ConsoleSay, times: Times, points: PointNames | undefined): ListColumn<Item>[] {
  const status = (value: unknown) => <span class={`status-${value}`}>{say(`status_${value}` as TextKey)}</span>
  return [
    {
      name: 'conflict_device',
      title: say('conflict_device'),
      show: ({ decided_offline }) => status(decided_offline),
    },
    {
      name: 'conflict_server',
      title: say('conflict_server'),
      isWhole: true,
      show: (item) => (
        <>
          {status(item.access_status)}
          {refusalWords(say, times, item, points).map((each) => ` · ${each}`)}
        </>
      ),
    },
    { name: 'conflict_others', title: say('conflict_others'), show: (item) => <Others item={item} points={points} /> },
  ]
}

/** When and where the guest of a check-in was let in otherwise. */
function Others({ item, points }: { item: Item; points: PointNames | undefined }) {
  const { say } = useConsole()
  const times = useTimes()
  const [event_id, guest_uid] = [String(item.event_id), String(item.guest_uid)]
  const { value } = useLoaded(
    async (signal) => {
      const query = { guest_uid, access_status: 0, per_page: MOST } as const
      return (await client.GET(LIST, { params: { path: { event_id }, query }, signal })).data
    },
    [event_id, guest_uid],
  )
  const others = value?.filter(({ _id }) => _id !== item._id)
  if (!others) return <>…</>
  if (others.length === 0) return <Nothing />
  const words = others.map(({ access_stamp, accesspoint_id, direction }) =>
    dotted([times.at(access_stamp), points?.get(accesspoint_id), direction === 'out' && say('choice_out')]),
  )
  return <>{words.join('; ')}</>
}
