import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Link, LinkStore } from '../links/store.ts'
import { reaches } from './reach.ts'
import type { accesspoints } from './resource.ts'
import type { AccesspointStore, StoredAccesspoint } from './store.ts'

/** The actions of check-in points. Each change is in the change log, which the doors read, before it is answered. */
export function accesspointHandlers(
  store: AccesspointStore,
  links: LinkStore,
  changeLog: ChangeLog,
): Handlers<typeof accesspoints> {
  const withLinks = async (accesspoint: StoredAccesspoint) =>
    joined(accesspoint, await links.ofPoint(accesspoint.event_id, accesspoint._id))

  return {
    async list({ params, caller }) {
      const [points, all] = await Promise.all([store.ofEvent(params.event_id), links.ofEvent(params.event_id)])
      const byPoint = Map.groupBy(all, ({ accesspoint_id }) => accesspoint_id)
      const reached = points.filter(({ _id }) => reaches(caller, _id))
      return reached.map((point) => joined(point, byPoint.get(point._id) ?? []))
    },

    async read({ params, caller }) {
      if (!reaches(caller, params.id)) throw notFound()
      return withLinks(found(await store.get(params.event_id, params.id)))
    },

    async create({ params, body, newId }) {
      const { event_id } = params
      const made = store.insert({ _id: newId(), event_id, ...body, ...newTimes() })
      const accesspoint = await changeLog.adding(event_id, { rights: true }, made)
      return joined(accesspoint, [])
    },

    async update({ params, body }) {
      return withLinks(found(await store.update(params.event_id, params.id, body)))
    },

    async delete({ params }) {
      const { event_id, id } = params
      const deleted = async () => {
        const accesspoint = await store.delete(event_id, id)
        const ofPoint = await links.ofPoint(event_id, id)
        // An earlier attempt may have died between the two deletions.
        await links.deleteOfPoint(event_id, id)
        return accesspoint && joined(accesspoint, ofPoint)
      }
      return found(await changeLog.adding(event_id, { rights: true }, deleted()))
    },

    async known({ body }) {
      return { ids: await store.known(body.event_id, body.ids) }
    },
  }
}

function joined(accesspoint: StoredAccesspoint, links: Link[]) {
  return { ...accesspoint, guest_category_accesspoints: links }
}
