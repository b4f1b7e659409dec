import { declaredOf, type Kind } from '../declared/declared.ts'
import { isShare, isUnlimited } from '../form/values.ts'
import type { ConsoleResource } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { languageNames } from '../texts/texts.ts'
import { named } from '../texts/words.ts'
import { useConsole } from './console.ts'
import { type NamesOf, namesItems } from './names.ts'
import { Bone } from './skeleton.tsx'
import { useTimes } from './times.ts'

const languages: Partial<Record<string, string>> = languageNames

/** The value of a field of an item, as its resource shows it, or as {@link Cell} does. */
export function FieldCell({ resource, name, item, names }: FieldCellProps) {
  const Own = resource.cells[name]
  if (Own) return <Own item={item} names={names} />
  // Nobody reads ids: a short wait for the names is better.
  if (!names && namesItems(name) && item[name]) return <Bone />
  const value = item[name]
  if (meansAll(name, value)) return <All name={name} />
  if (isUnlimited(name, declaredOf(resource.path).create?.[name], value)) return <NoLimit />
  if (typeof value === 'number' && isShare(item, name)) return <Share share={value} />
  if (typeof value === 'string' && declaredOf(resource.path).create?.[name]?.known === 'languages')
    return <>{languages[value] ?? value}</>
  const zone = typeof item.timezone === 'string' ? item.timezone : undefined
  return <Cell kind={declaredOf(resource.path).item[name] ?? 'text'} value={value} names={names?.[name]} zone={zone} />
}

interface FieldCellProps {
  resource: ConsoleResource
  name: string
  item: Item
  names?: NamesOf | undefined
}

/** Stands for a value that there is not. A card leaves it out. */
export function Nothing() {
  return <span class="quiet nothing">–</span>
}

function NoLimit() {
  return <>{useConsole().say('no_limit')}</>
}

/** What having none means, as in the form. */
function All({ name }: { name: string }) {
  return <>{named(useConsole().say, 'unset', name)}</>
}

/** Whether nothing means all: the event of a staff member, a token or a webhook, or the area of a check-in point. */
function meansAll(name: string, value: unknown): boolean {
  return value === null && ['event_id', 'area_id'].includes(name)
}

function Share({ share }: { share: number }) {
  const { locale } = useConsole()
  return <>{share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 2 })}</>
}

/** A value of an item, as people read it. */
export function Cell({
  kind,
  value,
  names,
  zone,
}: {
  kind: Kind
  value: unknown
  names?: ReadonlyMap<string, string> | undefined
  /** The item's own time zone, if it is not the event's. */
  zone?: string | undefined
}) {
  const { say, locale } = useConsole()
  const times = useTimes()
  if (value === null || value === undefined || value === '') return <Nothing />
  const nameOf = (id: unknown): string => names?.get(String(id)) ?? String(id)
  if (kind === 'boolean') return <>{say(value ? 'yes' : 'no')}</>
  if (kind === 'datetime') return <time dateTime={String(value)}>{times.at(String(value), zone)}</time>
  if (kind === 'integer' || kind === 'number') return <>{Number(value).toLocaleString(locale)}</>
  if (kind === 'choice') return <span class="one-word">{named(say, 'choice', String(value))}</span>
  if (!Array.isArray(value)) return <Words text={nameOf(value)} />
  if (value.length === 0) return <Nothing />
  return <>{value.map(nameOf).join(', ')}</>
}

/** What is longer may break on paper, too. */
const LONGEST_WORD = 48

/** A text; one word, such as a code, which paper would break at its hyphens, stays in one line, and an e-mail address in one or two, the second with its host. */
function Words({ text }: { text: string }) {
  if (/\s/.test(text) || text.length > LONGEST_WORD) return <span>{text}</span>
  const at = text.lastIndexOf('@')
  if (at < 1) return <span class="one-word">{text}</span>
  return (
    <span class="one-word address">
      <span>{text.slice(0, at)}</span>
      <wbr />
      <span>{text.slice(at)}</span>
    </span>
  )
}

/** Whether there is nothing to show of a field of an item. */
export function isBlank({ cells, path }: ConsoleResource, name: string, item: Item): boolean {
  const value = item[name]
  if (cells[name] || meansAll(name, value) || isUnlimited(name, declaredOf(path).create?.[name], value)) return false
  return isNothing(value)
}

/** Whether a value is none. */
export function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}
