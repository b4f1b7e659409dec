import type { PageProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { type Item, read } from '../server/server.ts'
import { may } from '../session/session.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useNames } from '../view/names.ts'
import { ResourceList, useFilters } from '../view/resource-list.tsx'
import { SaveList } from '../view/save-list.tsx'
import { useTimes } from '../view/times.ts'
import { conflictColumns } from './conflicts.tsx'
import { checkIns } from './resource.ts'

/** The check-ins of an event: found by what they were, undone, and saved as a file. */
export function CheckInsPage({ params }: PageProps) {
  const { say, session } = useConsole()
  const times = useTimes()
  const [query] = useFilters(checkIns)
  const names = useNames(['accesspoint_id'], params)
  const save = async (onProgress: (count: number) => void): Promise<string[]> => {
    const { csvOf } = await import('../guests/guest-file.ts')
    const rows: unknown[][] = [columns]
    for (let page = 1; ; page++) {
      const found = await read<Item[]>(checkIns.path, params, { ...query, page, per_page: PAGE })
      rows.push(...found.map((item) => cellsOf(item)))
      onProgress(rows.length - 1)
      if (found.length < PAGE) return ['\ufeff', csvOf(rows)]
    }
  }
  const cellsOf = (item: Item): unknown[] =>
    columns.map((name) => {
      if (name === 'accesspoint') return names?.accesspoint_id?.get(String(item.accesspoint_id))
      return name === 'result' ? say(`status_${item.access_status}` as TextKey) : item[name]
    })
  const areConflicts = query.conflicts === 'true'
  return (
    <ResourceList
      resource={checkIns}
      params={params}
      {...(areConflicts && {
        shown: checkIns.columns.filter((name) => name !== 'access_status' && name !== 'persons'),
        after: conflictColumns(say, times, names?.accesspoint_id),
      })}
      making={
        <a class="button second" href={hrefOf('events', params.event_id ?? '', 'access_controls', 'walk_in')}>
          {say('walk_in_title')}
        </a>
      }
      tools={may(session, 'organizer') && <SaveList name="check-ins.csv" read={save} progress="export_check_ins" />}
    />
  )
}

/** The most that the API gives at once. */
const PAGE = 500
/** The columns of the file. Names are those of the API; `accesspoint` and `result` are the words for what stands beside them. */
const columns = [
  ...['access_stamp', 'guest_uid', 'accesspoint', 'accesspoint_id', 'result', 'access_status', 'reason', 'persons'],
  ...['direction', 'decided_offline', 'created_at'],
]
