/** The rights of a guest at a check-in point. */
export interface GuestRights {
  isGuest: boolean
  /** The limit of the link between the guest's category and the point: -1 without limit; undefined without a link. */
  link: number | undefined
  /** `access_once` of each of the guest's privileges there. */
  own: readonly boolean[]
  /** The guest and whoever may come along; 1 by default. */
  party?: number
}

/** Returns the status of the next scan of a guest of whom `used` persons were let in at the point, for so many persons more. */
export function statusBy({ isGuest, link, own, party = 1 }: GuestRights, used: number, persons = 1): 0 | 1 | 2 | 3 {
  if (!isGuest) return 1
  const limits = [...(link === undefined ? [] : [link]), ...own.map((once) => (once ? 1 : -1))]
  if (limits.length === 0) return 2
  return limits.includes(-1) || used + persons <= party * Math.max(...limits) ? 0 : 3
}
