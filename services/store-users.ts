import type { StoreUsers } from '@gatehouse/local/store-users'
import type { Credential } from '@gatehouse/proto/declaring/service.ts'
import { serviceNames, services } from './services.ts'

/** The users of MongoDB and Redis of a system: each service has its own database, and the keys that it declares. */
export function storeUsersOf(namespace: string): StoreUsers {
  const having = (credential: Credential) =>
    serviceNames.filter((name) => services[name].credentials.includes(credential))
  const keysOf = (name: (typeof serviceNames)[number]) =>
    (services[name].redisKeys ?? []).map((pattern) => `${namespace}:${pattern}`)
  return {
    mongodb: Object.fromEntries(having('MONGODB_URL').map((name) => [name, `${namespace}_${name}`])),
    redis: Object.fromEntries(having('REDIS_URL').map((name) => [name, keysOf(name)])),
  }
}
