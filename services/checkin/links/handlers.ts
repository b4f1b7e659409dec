import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import { reaches } from '../accesspoints/reach.ts'
import { type AccesspointStore, NO_POINT } from '../accesspoints/store.ts'
import { guestCategories } from '../permissions.ts'
import type { links } from './resource.ts'
import type { Link, LinkStore } from './store.ts'

const SECOND = { accesspoint_id: [messageOf('already_linked')] }

type Ends = Pick<Link, 'accesspoint_id' | 'guest_category_id'>

/** The actions of links. Each change is in the change log, which the doors read, before it is answered. */
export function linkHandlers(
  store: LinkStore,
  accesspoints: AccesspointStore,
  bus: Bus,
  changeLog: ChangeLog,
): Handlers<typeof links> {
  const categories = clientOf(bus, guestCategories)
  const logged = <T>(event_id: string, write: Promise<T>): Promise<T> =>
    changeLog.adding(event_id, { rights: true }, write)

  /** Both ends of a link must be of its event. */
  const errorsOfEnds = async (event_id: string, ends: Partial<Ends>): Promise<FieldErrors> => {
    const { accesspoint_id, guest_category_id } = ends
    const [point, category] = await Promise.all([
      accesspoint_id === undefined || accesspoints.get(event_id, accesspoint_id),
      guest_category_id === undefined || categories.known({ body: { event_id, ids: [guest_category_id] } }),
    ])
    const errors: FieldErrors = {}
    if (!point) Object.assign(errors, NO_POINT)
    if (category !== true && category.ids.length === 0)
      errors.guest_category_id = [messageOf('unknown_reference', { thing: 'a guest category', owner: 'event' })]
    return errors
  }

  /** The error if a link other than `_id` already has both ends. */
  const secondErrors = async (event_id: string, ends: Partial<Ends>, _id: string): Promise<FieldErrors> => {
    const { accesspoint_id, guest_category_id } = ends
    if (accesspoint_id === undefined || guest_category_id === undefined) return {}
    const linked = await store.find(event_id, { accesspoint_id, guest_category_id })
    return linked.some((link) => link._id !== _id) ? SECOND : {}
  }

  return {
    async list({ params, query, caller }) {
      const all = await store.find(params.event_id, query)
      return all.filter(({ accesspoint_id }) => reaches(caller, accesspoint_id)).map(shown)
    },

    async create({ params, body: given, accept, newId }) {
      const { event_id } = params
      const _id = newId()
      const errors = await errorsOfEnds(event_id, given)
      const body = await accept(errors, () => secondErrors(event_id, given, _id))
      const made = store.insert({ _id, event_id, ...body, ...newTimes() })
      const link = await logged(event_id, made).catch(refuseSecond)
      // The category may have been deleted, with its links, between the check and the insert.
      const gone = await errorsOfEnds(event_id, body)
      if (Object.keys(gone).length === 0) return shown(link)
      await logged(event_id, store.delete(event_id, link._id))
      throw invalid(gone)
    },

    async update({ params, body: given, accept }) {
      const { event_id, id } = params
      const errors = await errorsOfEnds(event_id, given)
      const body = await accept(errors, async () =>
        secondErrors(event_id, { ...(await store.get(event_id, id)), ...given }, id),
      )
      const changed = store.update(event_id, id, body)
      return shown(found(await logged(event_id, changed).catch(refuseSecond)))
    },

    async delete({ params }) {
      const { event_id, id } = params
      return shown(found(await logged(event_id, store.delete(event_id, id))))
    },

    async of_categories({ body }) {
      const { event_id, guest_category_ids } = body
      return guest_category_ids ? store.ofCategories(event_id, guest_category_ids) : store.ofEvent(event_id)
    },

    async replace({ body: { event_id, guest_category_id, links } }) {
      const ids = links.map(({ accesspoint_id }) => accesspoint_id)
      const write = async () => {
        await store.replaceOfCategory(event_id, guest_category_id, links)
        // Checked only now: a point or category that is deleted later takes its links with it.
        const [points, known] = await Promise.all([
          accesspoints.known(event_id, ids),
          categories.known({ body: { event_id, ids: [guest_category_id] } }),
        ])
        if (known.ids.length === 0) await store.deleteOfCategory(event_id, guest_category_id)
        const gone = new Set(ids).difference(new Set(points))
        for (const id of gone) await store.deleteOfPoint(event_id, id)
      }
      await logged(event_id, write())
      return store.ofCategories(event_id, [guest_category_id])
    },

    async forget_category({ body }) {
      const { event_id, guest_category_id } = body
      await logged(event_id, store.deleteOfCategory(event_id, guest_category_id))
      return { done: true }
    },
  }
}

function refuseSecond(error: unknown): never {
  if (isDuplicate(error)) throw invalid(SECOND)
  throw error
}

function shown(link: Link) {
  return { ...link, id: link._id }
}
