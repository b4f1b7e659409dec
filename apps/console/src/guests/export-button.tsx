import { type Item, type PathParams, read } from '../server/server.ts'
import { SaveList } from '../view/save-list.tsx'

/** The most that the API gives at once. */
const PAGE = 500

/** Saves all guests as a CSV file, whose columns an import reads. */
export function ExportButton({ event_id }: { event_id: string }) {
  return <SaveList name="guests.csv" read={(onProgress) => exported(event_id, onProgress)} progress="export_progress" />
}

/** All guests as a file, with their metadata and privileges. */
async function exported(event_id: string, onProgress: (count: number) => void): Promise<string[]> {
  const params = { event_id }
  const [{ exportOf }, categories, accesspoints] = await Promise.all([
    import('./guest-file.ts'),
    namesOf('/api/v1/events/{event_id}/guest_categories.json', params),
    namesOf('/api/v1/events/{event_id}/accesspoints.json', params),
  ])
  const guests: Item[] = []
  for (let page = 1; ; page++) {
    const query = { page, per_page: PAGE, guest_metadata: true }
    const found = await read<Item[]>('/api/v1/events/{event_id}/guests.json', params, query)
    guests.push(...found)
    onProgress(guests.length)
    if (found.length < PAGE) return exportOf(guests, categories, accesspoints)
  }
}

async function namesOf(path: string, params: PathParams): Promise<Map<string, string>> {
  const items = await read<Item[]>(path, params)
  return new Map(items.map(({ _id, name }) => [String(_id), String(name)]))
}
