/** With which the names of this app's caches begin. Other apps of the gateway have theirs at the same origin. */
export const PREFIX = 'scanner-'

/** The caches of earlier versions of this app. */
export function outdatedOf(names: readonly string[], current: string): string[] {
  return names.filter((name) => name.startsWith(PREFIX) && name !== current)
}
