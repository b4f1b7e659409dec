import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { useEffect, useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { idParamOf } from '../resources/resource.ts'
import { type Item, type PathParams, read } from '../server/server.ts'
import { nameOf } from '../view/names.ts'
import { type RecordNames, resourceOf } from './sentence.ts'

const CONTACT = '/api/v1/contacts/{id}.json'
const IN_EVENT = '/api/v1/events/{event_id}/'
/** The resources of an event whose items have names, and those of the account. */
const OF_EVENT = [
  ...['guests', 'guest_categories', 'guest_fields', 'accesspoints', 'areas', 'badge_templates', 'devices'],
  ...['promo_codes', 'partners', 'mailings', 'invitation_types', 'exhibitors'],
]
const OF_ACCOUNT = ['events', 'webhooks', 'staff_members', 'contacts', 'oauth_apps']
/** Acts whose subject is an item of another resource. */
const ABOUT: Readonly<Record<string, string>> = { qr_code_mails: 'guests', test_sends: 'invitation_types' }
/** The most items of a list that the API gives at once. */
const MOST = 500
/** How many names are read at the same time. */
const AT_ONCE = 4

/** The names in audit records, by the `_id` of the record. What is deleted, or may not be read, has none. */
export function useRecordNames(records: readonly Item[]): ReadonlyMap<string, RecordNames> {
  const [names, setNames] = useState<ReadonlyMap<string, RecordNames>>(new Map())
  const [known] = useState(() => new Map<string, Promise<unknown>>())
  useEffect(() => {
    const stop = new AbortController()
    const load: Load = <Result>(path: string, params: PathParams, query?: object) => {
      const key = `${path} ${JSON.stringify(params)}`
      const found = known.get(key) ?? read(path, params, query).catch(() => undefined)
      known.set(key, found)
      return found as Promise<Result | undefined>
    }
    const left = records.filter(({ _id }) => !names.has(String(_id)))
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next && !stop.signal.aborted; next = left.shift()) {
        const [id, found] = [String(next._id), await namesIn(next, load)]
        if (!stop.signal.aborted) setNames((before) => new Map([...before, [id, found]]))
      }
    }
    for (let number = 0; number < AT_ONCE; number++) void work()
    return () => stop.abort()
  }, [records])
  return names
}

/** Reads an item or a list once; undefined if it cannot be read. */
type Load = <Result = Item>(path: string, params: PathParams, query?: object) => Promise<Result | undefined>

async function namesIn(record: Item, load: Load): Promise<RecordNames> {
  const { contact_id } = record
  const named = async (path: string, params: PathParams) => {
    const item = await load(path, params)
    return item && nameOf(item)
  }
  if (typeof contact_id === 'string') return { who: await named(CONTACT, { id: contact_id }) }
  const place = placeOf(record)
  return { what: place ? await named(place.path, place.params) : await nameInLists(record, load) }
}

/** The name of what no path reads alone, from the list that has it: a right is named after its category and check-in point, a campaign after its partner. */
async function nameInLists(record: Item, load: Load): Promise<string | undefined> {
  const { event_id, resource_id } = record
  const found = async (path: string, isIt: (item: Item) => boolean) =>
    (await load<Item[]>(path, event_id ? { event_id: String(event_id) } : {}, { per_page: MOST }))?.find(isIt)
  const nameIn = async (path: string, id: unknown): Promise<string> => {
    const item = await found(path, ({ _id }) => _id === id)
    return item ? nameOf(item) : ''
  }
  const has = ({ _id }: Item): boolean => _id === resource_id
  switch (resourceOf(record)) {
    case 'tokens':
      return (await nameIn('/api/v1/tokens.json', resource_id)) || undefined
    case 'partner_campaigns': {
      const partner = await found(`${IN_EVENT}partners.json`, (each) => (each.partner_campaigns as Item[]).some(has))
      return partner && nameOf(partner)
    }
    case 'guest_category_accesspoints': {
      const right = await found(`${IN_EVENT}guest_category_accesspoints.json`, has)
      if (!right) return undefined
      return dotted([
        await nameIn(`${IN_EVENT}guest_categories.json`, right.guest_category_id),
        await nameIn(`${IN_EVENT}accesspoints.json`, right.accesspoint_id),
      ])
    }
    default:
      return undefined
  }
}

/** Where what a record is about can be read; undefined where that is not known. */
export function placeOf(record: Item): { path: string; params: PathParams; segments: string[] } | undefined {
  const { resource_id, event_id } = record
  const kind = resourceOf(record)
  if (typeof resource_id !== 'string' || kind === undefined || String(record.action).endsWith('.delete'))
    return undefined
  const many = ABOUT[kind] ?? kind
  const ofEvent = OF_EVENT.includes(many) && typeof event_id === 'string' ? ['events', event_id] : undefined
  const within = ofEvent ?? (OF_ACCOUNT.includes(many) ? [] : undefined)
  if (!within) return undefined
  const path = declaredOf(`/api/v1/${ofEvent ? 'events/{event_id}/' : ''}${many}.json`).one
  if (path === undefined) return undefined
  const params = { ...(ofEvent && { event_id: String(event_id) }), [idParamOf(path)]: resource_id }
  return { path, params, segments: [...within, many, resource_id] }
}
