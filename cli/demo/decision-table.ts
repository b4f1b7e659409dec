/** The rights of a guest at a check-in point. */
export interface Rights {
  isGuest: boolean
  /** The limit of the link between the guest's category and the point: -1 without limit; undefined without a link. */
  link: number | undefined
  /** `access_once` of the guest's privilege there; undefined without one. */
  once?: boolean | undefined
}

/** The status of the next scan of a guest who has been granted `used` check-ins at the point. */
export function statusBy({ isGuest, link, once }: Rights, used: number): 0 | 1 | 2 | 3 {
  if (!isGuest) return 1
  const limits = [link, once === undefined ? undefined : once ? 1 : -1].filter((limit) => limit !== undefined)
  if (limits.length === 0) return 2
  return limits.includes(-1) || used < Math.max(...limits) ? 0 : 3
}
