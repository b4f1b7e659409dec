import type { accesspoints } from '@gatehouse/checkin/resources'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { foldReference } from '@gatehouse/proto/formats/lists/values.ts'

/** A check-in point with the categories that may enter. */
export type Point = Output<typeof accesspoints.actions.list>[number]

/** What a guest may enter is decided by. */
export interface GuestRights {
  guest_category_id: string
  access_privileges?: readonly { accesspoint_id: string }[]
}

/** The check-in points of an event. */
export class Points {
  readonly all: readonly Point[]

  constructor(points: readonly Point[]) {
    this.all = points
  }

  /** The point with a name or id; undefined if there is none. Throws one sentence if several have the name. */
  named(wanted: string): Point | undefined {
    const byId = this.all.find(({ _id }) => _id === wanted)
    const found = byId ? [byId] : this.all.filter(({ name }) => foldReference(name) === foldReference(wanted))
    if (found.length > 1) throw new Error(`Several check-in points are called "${wanted}": name it by its id`)
    return found[0]
  }

  /** The point of an option. Throws one sentence if there is none. */
  chosen(wanted: string): Point {
    const found = this.named(wanted)
    if (found) return found
    const names = this.all.map(({ name }) => `"${name}"`).join(', ')
    throw new Error(`There is no check-in point "${wanted}". The event has ${names || 'none'}`)
  }

  /** The only point at which guests come in; undefined if there are several or none. */
  get only(): Point | undefined {
    const entrances = this.all.filter(({ direction }) => direction !== 'out')
    return entrances.length === 1 ? entrances[0] : undefined
  }
}

/** Whether a guest may ever enter at a point. Whoever may come in somewhere may come out: exits let everybody pass. */
export function mayEnter({ guest_category_id, access_privileges = [] }: GuestRights, point: Point): boolean {
  if (point.direction === 'out') return true
  const { guest_category_accesspoints: links } = point
  return (
    links.some((link) => link.guest_category_id === guest_category_id) ||
    access_privileges.some(({ accesspoint_id }) => accesspoint_id === point._id)
  )
}
