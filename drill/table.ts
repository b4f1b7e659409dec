/** What decides about a guest at a check-in point. */
export interface Rights {
  isGuest: boolean
  /** Of the link of the guest's category to the point: -1 without limit; undefined without a link. */
  link: number | undefined
  /** Of the guest's own privilege there: `access_once`; undefined without one. */
  once: boolean | undefined
}

/** The decision table: the status of a guest's next scan who has been granted `used` check-ins there. */
export function statusBy({ isGuest, link, once }: Rights, used: number): 0 | 1 | 2 | 3 {
  if (!isGuest) return 1
  const limits = [link, once === undefined ? undefined : once ? 1 : -1].filter((limit) => limit !== undefined)
  if (limits.length === 0) return 2
  return limits.includes(-1) || used < Math.max(...limits) ? 0 : 3
}
