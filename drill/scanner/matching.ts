/** Returns to as many items as possible a partner of their own with which they agree (augmenting paths). */
export function matched<A, B>(
  items: readonly A[],
  partners: readonly B[],
  agree: (item: A, partner: B) => boolean,
): Map<A, B> {
  const itemOf = new Map<B, A>()
  /** Whether an item gets a partner, for which another item may have to take another one. */
  const place = (item: A, tried: Set<B>): boolean => {
    for (const partner of partners) {
      if (tried.has(partner) || !agree(item, partner)) continue
      tried.add(partner)
      const rival = itemOf.get(partner)
      if (rival !== undefined && !place(rival, tried)) continue
      itemOf.set(partner, item)
      return true
    }
    return false
  }
  for (const item of items) place(item, new Set())
  return new Map([...itemOf].map(([partner, item]) => [item, partner]))
}
