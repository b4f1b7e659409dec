import { type Item, type PathParams, read } from '../server/server.ts'
import { SaveList } from '../view/save-list.tsx'
import { pagesOf } from './table/selection.ts'

interface Props {
  event_id: string
  /** Which guests: all of them without a parameter. */
  query?: object
  /** Only those with one of these ids. */
  only?: ReadonlyMap<string, unknown>
}

/** Saves guests as a CSV file, whose columns an import reads. */
export function ExportButton(props: Props) {
  return (
    <SaveList
      name="guests.csv"
      read={(onProgress, signal) => exported(props, onProgress, signal)}
      progress="export_progress"
    />
  )
}

/** The guests as a file, with their metadata and privileges. */
async function exported(
  { event_id, query, only }: Props,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const params = { event_id }
  const [{ exportOf }, categories, accesspoints] = await Promise.all([
    import('./guest-file.ts'),
    namesOf('/api/v1/events/{event_id}/guest_categories.json', params),
    namesOf('/api/v1/events/{event_id}/accesspoints.json', params),
  ])
  const guests = new Map<string, Item>()
  // Selected ones by creation: who comes or goes meanwhile moves nobody of them to another page.
  const order = only && { sort: 'created_at' }
  for await (const page of pagesOf(params, { ...query, ...order, guest_metadata: true }, signal)) {
    for (const guest of page) {
      const id = String(guest._id)
      if (only?.has(id) ?? true) guests.set(id, guest)
    }
    onProgress(guests.size)
    if (guests.size === only?.size) break
  }
  return exportOf([...guests.values()], categories, accesspoints)
}

async function namesOf(path: string, params: PathParams): Promise<Map<string, string>> {
  const items = await read<Item[]>(path, params)
  return new Map(items.map(({ _id, name }) => [String(_id), String(name)]))
}
