/** Whether a device that is bound to these check-in points may scan at one: at each if it is bound to none. */
export function isBoundTo(accesspoint_ids: readonly string[], { _id }: { _id: string }): boolean {
  return accesspoint_ids.length === 0 || accesspoint_ids.includes(_id)
}
