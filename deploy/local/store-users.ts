/** What the users of MongoDB and Redis may use, besides those of the stack itself, who may use everything. */
export interface StoreUsers {
  /** The database of each user of MongoDB; `*` at its beginning stands for anything. */
  mongodb: Record<string, string>
  /** The patterns of the keys of each user of Redis. */
  redis: Record<string, readonly string[]>
}

/** Stores without such users. */
export const NO_USERS: StoreUsers = { mongodb: {}, redis: {} }

/** Commands on keys; none that lists those of others, or concerns the whole server. Connections ask for `INFO` when they open. */
const REDIS_COMMANDS =
  '-@all +@read +@write +@connection -@dangerous -scan -randomkey -dbsize +eval +evalsha +time +info'

/** The users as lines of Redis' configuration. */
export function redisUserLines({ redis }: StoreUsers, passwords: Record<string, string>): string[] {
  return Object.entries(redis).map(([name, keys]) => {
    const patterns = keys.map((pattern) => `~${pattern}`)
    return ['user', name, 'reset', 'on', `>${passwords[name]}`, ...patterns, REDIS_COMMANDS].join(' ')
  })
}
