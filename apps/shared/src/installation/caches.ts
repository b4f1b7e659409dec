/** The caches of an app's earlier versions. `prefix` begins the names of its caches: other apps of the gateway have theirs at the same origin. */
export function outdatedOf(names: readonly string[], prefix: string, current: string): string[] {
  return names.filter((name) => name.startsWith(prefix) && name !== current)
}
