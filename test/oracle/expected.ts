/** A guest's own right at some check-in point. */
export interface Privilege {
  point: number | string
  once: boolean
}

/** What statuses follow from. */
interface Known {
  /** Undefined for an unknown guest. */
  guest: { privileges: Privilege[] } | undefined
  point: number | string
  /** The limit of the link between the guest's category and the point, if there is one. */
  linked: number | undefined
  /** How often the guest was let in there. */
  used: number
}

/** The statuses which `times` simultaneous scans must get, in any order. */
export function expectedStatuses({ guest, point, linked, used }: Known, times: number): number[] {
  if (!guest) return Array(times).fill(1)
  const own = guest.privileges.filter((each) => each.point === point).map(({ once }) => (once ? 1 : -1))
  const limits = linked === undefined ? own : [linked, ...own]
  if (limits.length === 0) return Array(times).fill(2)
  if (limits.includes(-1)) return Array(times).fill(0)
  const left = Math.max(0, Math.max(...limits) - used)
  return Array.from({ length: times }, (_, n) => (n < left ? 0 : 3))
}
