import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Resolved } from '@gatehouse/proto/formats/lists/references.ts'
import { foldReference } from '@gatehouse/proto/formats/lists/values.ts'

/** A check-in point with the categories that may enter. */
export interface Point {
  _id: string
  name: string
  direction: string
  guest_category_accesspoints: readonly { guest_category_id: string }[]
}

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

  /** The point with a name or id, or why there is not exactly one. */
  named(wanted: string): Resolved<Point> {
    const byId = this.all.find(({ _id }) => _id === wanted)
    const found = byId ? [byId] : this.all.filter(({ name }) => foldReference(name) === foldReference(wanted))
    if (found.length > 1) return { problem: messageOf('ambiguous_name', { name: wanted }) }
    return found[0] ? { value: found[0] } : { problem: messageOf('unknown_accesspoint', { name: wanted }) }
  }

  /** The point of an option. Throws one sentence if there is none. */
  chosen(wanted: string): Point {
    const found = this.named(wanted)
    if ('value' in found) return found.value
    if (found.problem.code === 'ambiguous_name') throw new Error(String(found.problem))
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
