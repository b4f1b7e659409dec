import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import type { ListColumn } from '../list/column.ts'
import { List } from '../list/list.tsx'
import { useRows } from '../list/use-rows.ts'
import { type ConsoleResource, hasItemPage, idParamOf, type PageProps } from '../resources/resource.ts'
import { type AddressQuery, hrefOf, useQuery } from '../route/route.ts'
import { type Item, read } from '../server/server.ts'
import { named, type TextKey, titleOf } from '../texts/words.ts'
import { BehindOne } from './behind-one.tsx'
import { FieldCell, isBlank, isNothing } from './cell.tsx'
import { useConsole } from './console.ts'
import { isArchived, useEvent, useMayChange } from './event.ts'
import { Filters } from './filters.tsx'
import { Icon } from './icon.tsx'
import { ItemActions } from './item-actions.tsx'
import { iconOf } from './jobs.ts'
import { useLoaded } from './loaded.ts'
import { type NamesOf, nameOf, useNames } from './names.ts'
import { SORT, sortingOf } from './sorting.ts'

/** The columns that say together what an item is called. */
const NAMES = ['last_name', 'first_name']

interface Props extends PageProps {
  resource: ConsoleResource
  /** A search, which stands before the filters. */
  search?: ComponentChildren
  /** What the page has besides, after the filters. */
  tools?: ComponentChildren
  /** Other ways to make items than the form. */
  making?: ComponentChildren
  /** What can be done with the items, before those. */
  using?: ComponentChildren
  /** How an empty list is usually filled, in place of those, if not by the form. */
  filling?: ComponentChildren
  query?: Record<string, string>
  /** Flags of the request for the rows, by which they have more fields: they filter nothing. */
  flags?: Record<string, string>
  /** The columns of the resource that are shown, in place of its own choice. */
  shown?: readonly string[]
  /** Columns before those, and after them. */
  before?: ListColumn<Item>[]
  after?: ListColumn<Item>[]
  /** What the page is called where the list is not what it is for: it may stay empty then. */
  heading?: TextKey
  /** What an empty list says besides. */
  welcome?: ComponentChildren
  /** What stands above the list. */
  above?: ComponentChildren
  /** Another one reads the list again. */
  round?: number
  expected?: number
}

/** The filters and the order that the address of a list names, and what changes them. */
export function useFilters({ filters, sorts }: ConsoleResource): [AddressQuery, (query: AddressQuery) => void] {
  const [address, replace] = useQuery()
  const isKnown = (name: string): boolean =>
    filters.some((each) => each === name) || (name === SORT && sorts.length > 0)
  const found = useMemo(
    () => Object.fromEntries(Object.entries(address).filter(([name, value]) => value !== '' && isKnown(name))),
    [address],
  )
  return [found, (next) => replace({ ...withoutKeys(address, Object.keys(found)), ...next })]
}

function withoutKeys(query: AddressQuery, names: readonly string[]): AddressQuery {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
}

/** The list of a resource, with a link to each item. */
export function ResourceList({ resource, params, search, tools, query = {}, flags, expected = 0, ...more }: Props) {
  const { say, session } = useConsole()
  const [filters, setFilters] = useFilters(resource)
  const {
    shown = resource.columns,
    before = [],
    after = [],
    above,
    round = 0,
    making,
    using,
    filling,
    heading,
    welcome,
  } = more
  const [ownRound, setRound] = useState(0)
  const sorted = resource.sort !== undefined && { [SORT]: resource.sort }
  const rows = useRows(resource.path, params, { ...flags, ...query, ...sorted, ...filters }, expected, round + ownRound)
  const names = useNames([...resource.columns, ...resource.filters, ...shown], params)
  const { create, item, deletes } = declaredOf(resource.path)
  const mayMake = useMayChange()
  const mayChange = mayMake(resource.changes)
  const segments = segmentsOf(resource, params)
  const isNamed = NAMES.includes(shown[0] ?? '')
  const linked = (found: Item, words: ComponentChildren) =>
    hasItemPage(resource) ? <a href={hrefOf(...segments, String(found._id))}>{words}</a> : words
  const own = shown.map((name, index): ListColumn<Item> => {
    const kind = item[name] ?? 'text'
    const sorting = sortingOf(resource, name, filters, setFilters)
    return {
      name,
      title: titleOf(say, resource.titles, name),
      isNumeric: !resource.cells[name] && (kind === 'integer' || kind === 'number'),
      isInHeading: index === 0 || (isNamed && NAMES.includes(name)),
      isWhole: resource.whole?.includes(name) ?? false,
      isEmpty: (found) => isBlank(resource, name, found),
      ...(sorting && { sorting }),
      show: (found) => {
        const cell = <FieldCell resource={resource} name={name} item={found} names={names} />
        return index > 0 ? cell : linked(found, isNothing(found[name]) ? nameOf(found) : cell)
      },
    }
  })
  const columns = [...before, ...own, ...after]
  const { acts = () => true } = resource
  if (mayChange && acts(session) && !hasItemPage(resource) && (resource.actions.length > 0 || deletes))
    columns.push(actionsColumn(resource, params, say('actions'), () => setRound((before) => before + 1)))
  const waysWith = (others: ComponentChildren, isFormSecond = heading !== undefined) =>
    create &&
    mayMake(resource.creates) && (
      <>
        {isFormSecond && !heading ? others : <BehindOne text="more">{others}</BehindOne>}
        <a class={isFormSecond ? 'button second' : 'button'} href={hrefOf(...segments, 'new')}>
          {named(say, 'add', resource.name)}
        </a>
      </>
    )
  const isFiltered = Object.keys({ ...query, ...withoutKeys(filters, [SORT]) }).length > 0
  // An empty list has the ways to fill it where its rows would be. Until it is known they are nowhere: they must not move under a finger.
  const isEmpty = !isFiltered && rows.isCounted && rows.count === 0
  const hasArchived = useHasArchived(resource, params, isEmpty)
  // Nothing is to be searched, sorted or saved then; but archived items are found by a filter.
  const hasToolbar = isEmpty ? hasArchived : Boolean(search || tools || resource.filters.length > 0)
  return (
    <>
      <div class="head">
        <h1>{say(heading ?? `page_${resource.name}`)}</h1>
        {!heading && (rows.isCounted || expected > 0) && rows.count > 0 && (
          <span class="quiet">{say(resource.counted ?? 'count', { count: rows.count })}</span>
        )}
        <div class="tools">
          {!isEmpty &&
            (rows.isCounted || expected > 0 || rows.count > 0 || rows.error) &&
            waysWith(using ? [using, making] : making)}
        </div>
      </div>
      {hasToolbar && (
        <div class="toolbar">
          {search}
          {resource.filters.length > 0 && (
            <Filters resource={resource} names={(names ?? {}) as NamesOf} query={filters} onChange={setFilters} />
          )}
          {tools}
        </div>
      )}
      {above}
      <List
        label={say(`page_${resource.name}`)}
        rows={rows}
        columns={columns}
        cardHeading={isNamed ? (found) => linked(found, nameOf(found)) : undefined}
        empty={
          isFiltered ? (
            <p class="quiet">{say('none_found')}</p>
          ) : (
            <>
              <Empty resource={resource} mayStay={heading !== undefined}>
                {filling ? waysWith(filling, true) : waysWith(making)}
              </Empty>
              {welcome}
            </>
          )
        }
      />
    </>
  )
}

/** Whether an empty list has archived items. */
function useHasArchived({ path, filters }: ConsoleResource, params: PageProps['params'], isEmpty: boolean): boolean {
  const isAsked = isEmpty && filters.includes('archived')
  const { value = false } = useLoaded(
    async (signal) => isAsked && (await read<Item[]>(path, params, { archived: true }, signal)).length > 0,
    [path, isAsked],
  )
  return value
}

interface EmptyProps {
  resource: ConsoleResource
  mayStay: boolean
  children: ComponentChildren
}

/** Says what the items of an empty list are for, and how to make one; in an archived event, that nothing can be added. */
function Empty({ resource: { name, creates }, mayStay, children }: EmptyProps) {
  const { say } = useConsole()
  const { event } = useEvent()
  const mayMake = useMayChange()
  const icon = iconOf(name)
  const ways = `fill_${name}`
  const words = isArchived(event)
    ? [say('empty_archived')]
    : [!mayStay && say('none'), say(`empty_${name}`), mayMake(creates) && say.knows(ways) && say(ways)]
  return (
    <>
      {icon && <Icon name={icon} />}
      <p class="quiet">{words.filter(Boolean).join(' ')}</p>
      {children && <div class="buttons">{children}</div>}
    </>
  )
}

/** Returns the route of a resource's list. */
export function segmentsOf({ segments }: ConsoleResource, params: Record<string, string>): string[] {
  return segments.map((segment) => (segment.startsWith('{') ? (params[segment.slice(1, -1)] ?? '') : segment))
}

function actionsColumn(
  resource: ConsoleResource,
  params: Record<string, string>,
  title: string,
  onDone: () => void,
): ListColumn<Item> {
  return {
    name: 'actions',
    title,
    isBare: true,
    show: (found) => (
      <ItemActions
        resource={resource}
        params={{ ...params, [idParamOf(declaredOf(resource.path).one)]: String(found._id) }}
        item={found}
        onDone={onDone}
      />
    ),
  }
}
