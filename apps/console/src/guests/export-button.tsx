import { useState } from 'preact/hooks'
import { asRefusal, client, type GatehouseError, type Item, read } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { saveFile } from '../view/save-file.ts'
import { columns } from './columns.ts'
import { CSV, csvOf } from './csv.ts'

/** The most which the API gives at once. */
const PAGE = 500

/** Saves all guests as a CSV file, whose columns an import reads. */
export function ExportButton({ event_id }: { event_id: string }) {
  const { say } = useConsole()
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<GatehouseError>()
  const save = async (): Promise<void> => {
    setError(undefined)
    setCount(0)
    try {
      saveFile('guests.csv', await exported(event_id, setCount), CSV)
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setCount(undefined)
  }
  return (
    <>
      <button type="button" class="second" disabled={count !== undefined} onClick={() => void save()}>
        {say('export')}
      </button>
      <output>{count !== undefined && say('export_progress', { count })}</output>
      {error && <Problem error={error} retry={() => void save()} />}
    </>
  )
}

async function exported(event_id: string, onProgress: (count: number) => void): Promise<string[]> {
  const path = { event_id }
  const { data: categories } = await client.GET('/api/v1/events/{event_id}/guest_categories.json', { params: { path } })
  const names = new Map(categories.map(({ _id, name }) => [_id, name]))
  const parts = [await csvOf([columns])]
  let count = 0
  for (let page = 1; ; page++) {
    const found = await read<Item[]>('/api/v1/events/{event_id}/guests.json', path, { page, per_page: PAGE })
    const rows = found.map((guest) =>
      columns.map((name) =>
        name === 'guest_category' ? (names.get(String(guest.guest_category_id)) ?? '') : (guest[name] ?? ''),
      ),
    )
    if (rows.length > 0) parts.push(await csvOf(rows))
    count += found.length
    onProgress(count)
    if (found.length < PAGE) return parts
  }
}
