import type { FormFields } from '../form/values.ts'
import { type Item, type PathParams, read } from '../server/server.ts'
import { useLoaded } from './loaded.ts'

/** The lists whose items fields name, by the name of the field. */
const lists: Record<string, string> = {
  event_id: '/api/v1/events.json',
  guest_category_id: '/api/v1/events/{event_id}/guest_categories.json',
  category: '/api/v1/events/{event_id}/guest_categories.json',
  badge_template_id: '/api/v1/events/{event_id}/badge_templates.json',
  accesspoint_id: '/api/v1/events/{event_id}/accesspoints.json',
  accesspoint_ids: '/api/v1/events/{event_id}/accesspoints.json',
  exhibitor_id: '/api/v1/events/{event_id}/exhibitors.json',
  area_id: '/api/v1/events/{event_id}/areas.json',
  invitation_type_id: '/api/v1/events/{event_id}/invitation_types.json',
  partner_id: '/api/v1/events/{event_id}/partners.json',
}

/** What fields name, by id. */
export type NamesOf = Record<string, ReadonlyMap<string, string>>

/** Whether the values of a field are ids of items that have names. */
export function namesItems(field: string): boolean {
  return field in lists
}

/** The names of all that these fields may name. Undefined until they are there. */
export function useNames(fields: readonly string[], params: PathParams): NamesOf | undefined {
  const wanted = fields.filter((field) => field in lists)
  const { value } = useLoaded(
    async (signal) => {
      const paths = [...new Set(wanted.map((field) => lists[field] as string))]
      const found = await Promise.all(paths.map((path) => read<Item[]>(path, params, {}, signal)))
      const maps = found.map((items) => new Map(items.map((item) => [String(item._id), nameOf(item)])))
      return Object.fromEntries(
        wanted.map((field) => [field, maps[paths.indexOf(lists[field] as string)] ?? new Map<string, string>()]),
      )
    },
    [wanted.join(), JSON.stringify(params)],
  )
  return value
}

/** The lists without items of which fields need one. */
export function emptyLists(fields: FormFields, names: NamesOf): string[] {
  const needed = Object.keys(fields).filter((name) => fields[name]?.required && names[name]?.size === 0)
  return needed.map((name) => lists[name] as string)
}

/** What people call an item. */
export function nameOf(item: Item): string {
  const person = [item.first_name, item.last_name].filter(Boolean).join(' ')
  return String(
    item.title ||
      item.name ||
      person ||
      item.company_name ||
      item.text ||
      item.label ||
      item.email ||
      item.url ||
      item.uid ||
      item._id,
  )
}
