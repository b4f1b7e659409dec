import { declaredOf, type Kind } from '../declared/declared.ts'
import type { ConsoleResource } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { named } from '../texts/words.ts'
import { useConsole } from './console.ts'
import { type NamesOf, namesItems } from './names.ts'
import { Bone } from './skeleton.tsx'

/** The value of a field of an item, as its resource shows it, or as {@link Cell} does. */
export function FieldCell({ resource, name, item, names }: FieldCellProps) {
  const Own = resource.cells[name]
  if (Own) return <Own item={item} />
  // Nobody reads ids: a short wait for the names is better.
  if (!names && namesItems(name) && item[name]) return <Bone />
  return <Cell kind={declaredOf(resource.path).item[name] ?? 'text'} value={item[name]} names={names?.[name]} />
}

interface FieldCellProps {
  resource: ConsoleResource
  name: string
  item: Item
  names?: NamesOf | undefined
}

/** A value of an item, as people read it. */
export function Cell({
  kind,
  value,
  names,
}: {
  kind: Kind
  value: unknown
  names?: ReadonlyMap<string, string> | undefined
}) {
  const { say, language } = useConsole()
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>
  const nameOf = (id: unknown): string => names?.get(String(id)) ?? String(id)
  if (kind === 'boolean') return <>{say(value ? 'yes' : 'no')}</>
  if (kind === 'datetime') return <time dateTime={String(value)}>{timeIn(language, String(value))}</time>
  if (kind === 'integer' || kind === 'number') return <>{Number(value).toLocaleString(language)}</>
  if (kind === 'choice') return <>{named(say, 'choice', String(value))}</>
  if (!Array.isArray(value)) return <>{nameOf(value)}</>
  if (value.length === 0) return <span class="quiet">–</span>
  return <>{value.map(nameOf).join(', ')}</>
}

/** A time in the language of the reader and the time zone of an event, which is named; in the reader's where browsers do not know that. */
export function timeAt(language: string, stamp: string, timeZone: string): string {
  const format = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
  const show = (zone: object): string =>
    new Date(stamp).toLocaleString(language, { ...format, timeZoneName: 'short', ...zone })
  try {
    return show({ timeZone })
  } catch {
    return show({})
  }
}

/** A time in the language and the time zone of the reader. */
export function timeIn(language: string, stamp: string): string {
  return new Date(stamp).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
}
