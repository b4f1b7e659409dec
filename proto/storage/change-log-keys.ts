/** The keys of an event's version and of its changes. All keys of an event share a hash tag, so that one script reaches them in a cluster. */
export function changeLogKeys(namespace: string, eventId: string): [version: string, changes: string] {
  return [`${namespace}:{${eventId}}:version`, `${namespace}:{${eventId}}:changes`]
}

/** The patterns of these keys, without the namespace. */
export const CHANGE_LOG_KEYS = ['{*}:version', '{*}:changes']
