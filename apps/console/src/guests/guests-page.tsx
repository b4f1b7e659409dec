import { useState } from 'preact/hooks'
import { isPrintable, printHref } from '../badges/printed.ts'
import { checkIns } from '../check-ins/resource.ts'
import type { ListColumn } from '../list/column.ts'
import type { PageProps } from '../resources/resource.ts'
import { guests } from '../resources/resources.ts'
import { hrefOf } from '../route/route.ts'
import { client, type Item } from '../server/server.ts'
import { may } from '../session/session.ts'
import { columnsParam } from '../view/column-choice.tsx'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useLoaded } from '../view/loaded.ts'
import { nameOf, useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { ResourceList, useFilters } from '../view/resource-list.tsx'
import { SearchField, useSearch } from '../view/search-field.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { ExportButton } from './export-button.tsx'
import { useGuestFields } from './guest-fields.ts'
import { BulkBar } from './table/bulk-bar.tsx'
import { ColumnChoice, useChosenColumns } from './table/chosen-columns.tsx'
import { type Selection, useSelection } from './table/selection.ts'
import { Views } from './table/views.tsx'

/** The guests of an event: a list that is searched while someone types, with the columns that they have chosen, and acts for many. */
export function GuestsPage({ params }: PageProps) {
  const event_id = params.event_id ?? ''
  const [round, setRound] = useState(0)
  const load = async () => (await client.GET('/api/v1/events/{event_id}.json', { params: { path: { event_id } } })).data
  const { value: event, error, reload } = useLoaded(load, [event_id])
  const guestFields = useGuestFields(event_id)
  if (error && !event) return <Problem error={error} retry={reload} />
  if (!event || !guestFields) return <Skeleton />
  return (
    <GuestTable
      {...{ event_id, guestFields, round }}
      count={event.guest_count}
      onDone={() => {
        reload()
        setRound((before) => before + 1)
      }}
    />
  )
}

interface TableProps {
  event_id: string
  /** How many guests the event has. */
  count: number
  guestFields: NonNullable<ReturnType<typeof useGuestFields>>
  round: number
  /** Called when something was done to guests. */
  onDone: () => void
}

function GuestTable({ event_id, count, guestFields, round, onDone }: TableProps) {
  const { say, session } = useConsole()
  const mayMake = useMayChange()
  const [filters] = useFilters(guests)
  const searching = useSearch()
  const chosen = useChosenColumns(event_id, guestFields)
  const selection = useSelection(event_id)
  const names = useNames(['guest_category_id', 'accesspoint_id'], { event_id })
  const query = { ...filters, ...searching.query }
  const ticks = useTickColumn(selection, query)
  const mayExport = may(session, guests.creates)
  const tools = (
    <>
      <ColumnChoice chosen={chosen} guestFields={guestFields} />
      <Views event_id={event_id} query={{ ...query, ...columnsParam(chosen) }} />
      {mayExport && <ExportButton event_id={event_id} query={query} />}
    </>
  )
  const importing = (kind: string) => (
    <a class={kind} href={hrefOf('events', event_id, 'guests', 'import')}>
      {say('import')}
    </a>
  )
  const making = (
    <>
      <a class="button second" href={hrefOf('events', event_id, 'access_controls', 'walk_in')}>
        {say('walk_in_title')}
      </a>
      {may(session, 'door_manager') && isPrintable(query) && (
        <a class="button second" href={printHref(event_id, query)}>
          {say('print_badges')}
        </a>
      )}
      {importing('button second')}
    </>
  )
  // The list is as long as the event has guests, so that its end can be reached at once.
  return (
    <ResourceList
      resource={guests}
      params={{ event_id }}
      search={<SearchField {...searching} placeholder={say('guest_search')} />}
      tools={tools}
      making={making}
      filling={importing('button')}
      query={searching.query}
      flags={chosen.fields.length > 0 ? { guest_metadata: 'true' } : {}}
      shown={chosen.own}
      before={mayMake(checkIns.creates) ? [ticks] : []}
      after={chosen.fields}
      round={round}
      above={
        <BulkBar
          {...{ event_id, selection, names, query, onDone }}
          exporting={mayExport && <ExportButton event_id={event_id} only={selection.selected} />}
        />
      }
      expected={Object.keys(query).every((name) => name === 'sort') ? count : 0}
    />
  )
}

/** The column that selects guests. Its heading selects all whom the table finds. */
function useTickColumn(
  { selected, isAll, turn, select, selectAll, reading }: Selection,
  query: object,
): ListColumn<Item> {
  const { say } = useConsole()
  return {
    name: 'select',
    title: say('select'),
    isTick: true,
    heading: (
      <input
        type="checkbox"
        aria-label={say('select_all')}
        checked={isAll || reading !== undefined}
        indeterminate={selected.size > 0 && !isAll && reading === undefined}
        disabled={reading !== undefined}
        onChange={({ currentTarget }) => (currentTarget.checked ? selectAll(query) : select(new Map()))}
      />
    ),
    show: (guest) => (
      <input
        type="checkbox"
        aria-label={`${say('select')}: ${nameOf(guest)}`}
        checked={selected.has(String(guest._id))}
        onChange={({ currentTarget }) => turn(guest, currentTarget.checked)}
      />
    ),
  }
}
