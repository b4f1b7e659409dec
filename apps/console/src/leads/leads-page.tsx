import type { PageProps } from '../resources/resource.ts'
import { readText } from '../server/server.ts'
import { may } from '../session/session.ts'
import { named } from '../texts/words.ts'
import { ColumnTicks, useColumns } from '../view/column-choice.tsx'
import { useConsole } from '../view/console.ts'
import { ResourceList, useFilters } from '../view/resource-list.tsx'
import { SaveList } from '../view/save-list.tsx'
import { SearchField, useSearch } from '../view/search-field.tsx'
import { leads } from './resource.ts'

const CSV_PATH = '/api/v1/events/{event_id}/connections.csv'
/** The most that the API gives at once. */
const PAGE = 500
/** What leads to the lead, which is always shown. */
const FIRST = 'guest_uid'
const OTHERS = ['exhibitor_id', 'rating', 'created_at', 'updated_at', 'author', 'note', 'comments']
/** A line of a CSV file; what is quoted may have line ends. */
const LINE = /(?:"[^"]*"|[^"\n])*\n/g

/** The leads of all exhibitors of an event: searched and filtered, with the columns that someone has chosen, and saved as a file. */
export function LeadsPage({ params }: PageProps) {
  const { say, session } = useConsole()
  const event_id = params.event_id ?? ''
  const [filters] = useFilters(leads)
  const searching = useSearch()
  const columns = useColumns(
    `columns of leads ${event_id}`,
    OTHERS,
    OTHERS.filter((name) => leads.columns.some((each) => each === name)),
  )
  const query = { ...filters, ...searching.query }
  return (
    <ResourceList
      resource={leads}
      params={params}
      search={<SearchField {...searching} placeholder={say('lead_search')} />}
      query={searching.query}
      shown={[FIRST, ...columns.names]}
      tools={
        <>
          <ColumnTicks columns={columns} choices={OTHERS.map((name) => [name, named(say, 'field', name)] as const)} />
          {may(session, 'door_manager') && (
            <SaveList
              name="leads.csv"
              read={(onProgress) => readFile(event_id, query, onProgress)}
              progress="export_leads"
            />
          )}
        </>
      }
    />
  )
}

/** The file of the leads that a query finds, which the API gives in pages with the same header. */
async function readFile(
  event_id: string,
  query: Record<string, string>,
  onProgress: (count: number) => void,
): Promise<string[]> {
  const parts = ['\ufeff']
  let count = 0
  for (let page = 1; ; page++) {
    const [header = '', ...lines] =
      (await readText(CSV_PATH, { event_id }, { ...query, page, per_page: PAGE })).match(LINE) ?? []
    parts.push(...(page === 1 ? [header] : []), ...lines)
    count += lines.length
    onProgress(count)
    if (lines.length < PAGE) return parts
  }
}
