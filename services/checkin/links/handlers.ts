import { guestCategories } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import { type FieldErrors, invalid, notFound } from '@gatehouse/proto/faults.ts'
import { isDuplicate } from '@gatehouse/proto/mongo.ts'
import type { Handlers } from '@gatehouse/proto/resource.ts'
import type { AccesspointStore } from '../accesspoints/store.ts'
import type { links } from './resource.ts'
import type { Link, LinkStore } from './store.ts'

/** What links do and refuse. The door hears of each change before the caller does. */
export function linkHandlers(store: LinkStore, accesspoints: AccesspointStore, bus: Bus): Handlers<typeof links> {
  const categories = clientOf(bus, guestCategories)
  const announced = <T>(event_id: string, write: Promise<T>): Promise<T> => bus.announcing('rights', event_id, write)

  /** Both ends of a link must be of its event. */
  const checkEnds = async (event_id: string, ends: Partial<Pick<Link, 'accesspoint_id' | 'guest_category_id'>>) => {
    const { accesspoint_id, guest_category_id } = ends
    const [point, category] = await Promise.all([
      accesspoint_id === undefined || accesspoints.get(event_id, accesspoint_id),
      guest_category_id === undefined || categories.known({ body: { event_id, ids: [guest_category_id] } }),
    ])
    const errors: FieldErrors = {}
    if (!point) errors.accesspoint_id = ['is not a check-in point of the event']
    if (category !== true && category.ids.length === 0)
      errors.guest_category_id = ['is not a guest category of the event']
    if (Object.keys(errors).length > 0) throw invalid(errors)
  }

  return {
    async list({ params, query }) {
      return (await store.find(params.event_id, query)).map(shown)
    },

    async create({ params, body, newId }) {
      const { event_id } = params
      await checkEnds(event_id, body)
      const now = new Date()
      const made = store.insert({ _id: newId(), event_id, ...body, created_at: now, updated_at: now })
      const link = await announced(event_id, made).catch(refuseSecond)
      // The category may have been deleted, and its links with it, between the look and the insert.
      await checkEnds(event_id, body).catch(async (error) => {
        await announced(event_id, store.delete(event_id, link._id))
        throw error
      })
      return shown(link)
    },

    async update({ params, body }) {
      const { event_id, id } = params
      await checkEnds(event_id, body)
      const changed = store.update(event_id, id, { ...body, updated_at: new Date() })
      const link = await announced(event_id, changed).catch(refuseSecond)
      if (!link) throw notFound()
      return shown(link)
    },

    async delete({ params }) {
      const { event_id, id } = params
      const link = await announced(event_id, store.delete(event_id, id))
      if (!link) throw notFound()
      return shown(link)
    },

    async of_categories({ body }) {
      const { event_id, guest_category_ids } = body
      return guest_category_ids ? store.ofCategories(event_id, guest_category_ids) : store.ofEvent(event_id)
    },

    async forget_category({ body }) {
      const { event_id, guest_category_id } = body
      await announced(event_id, store.deleteOfCategory(event_id, guest_category_id))
      return { done: true }
    },
  }
}

function refuseSecond(error: unknown): never {
  if (isDuplicate(error)) throw invalid({ accesspoint_id: ['is already linked to this guest category'] })
  throw error
}

function shown(link: Link) {
  return { ...link, id: link._id }
}
