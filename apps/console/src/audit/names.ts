import { useEffect, useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { idParamOf } from '../resources/resource.ts'
import { type Item, type PathParams, read } from '../server/server.ts'
import { nameOf } from '../view/names.ts'
import { type RecordNames, resourceOf } from './sentence.ts'

const CONTACT = '/api/v1/contacts/{id}.json'
/** The resources of an event whose items have names, and those of the account. */
const OF_EVENT = [
  ...['guests', 'guest_categories', 'guest_fields', 'accesspoints', 'areas', 'badge_templates', 'devices'],
  ...['promo_codes', 'partners', 'mailings', 'invitation_types', 'exhibitors'],
]
const OF_ACCOUNT = ['events', 'webhooks', 'staff_members', 'contacts', 'oauth_apps']
/** Acts whose subject is an item of another resource. */
const ABOUT: Readonly<Record<string, string>> = { qr_code_mails: 'guests', test_sends: 'invitation_types' }
/** How many names are read at the same time. */
const AT_ONCE = 4

/** The names in audit records, by the `_id` of the record. What is deleted, or may not be read, has none. */
export function useRecordNames(records: readonly Item[]): ReadonlyMap<string, RecordNames> {
  const [names, setNames] = useState<ReadonlyMap<string, RecordNames>>(new Map())
  const [known] = useState(() => new Map<string, Promise<string | undefined>>())
  useEffect(() => {
    const stop = new AbortController()
    const load = (path: string, params: PathParams): Promise<string | undefined> => {
      const key = `${path} ${JSON.stringify(params)}`
      const name = known.get(key) ?? read<Item>(path, params).then(nameOf, () => undefined)
      known.set(key, name)
      return name
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

type Load = (path: string, params: PathParams) => Promise<string | undefined>

async function namesIn(record: Item, load: Load): Promise<RecordNames> {
  const { contact_id } = record
  if (typeof contact_id === 'string') return { who: await load(CONTACT, { id: contact_id }) }
  const place = placeOf(record)
  return place ? { what: await load(place.path, place.params) } : {}
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
