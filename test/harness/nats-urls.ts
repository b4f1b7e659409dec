import { inject } from 'vitest'

/** The URL of NATS for a process, which may do there what it declares and nothing else. */
export function natsUrlOf(user: string): string {
  const url = inject('natsUrls')[user]
  if (url === undefined) throw new Error(`NATS has no user ${user}`)
  return url
}

/** The addresses of the stores for a process, as settings: each has its own user, its own database, and its own keys. */
export function storeUrlsOf(user: string): { nats_url: string; mongodb_url?: string; redis_url?: string } {
  const { [user]: mongodb_url } = inject('mongodbUrls')
  const { [user]: redis_url } = inject('redisUrls')
  return { nats_url: natsUrlOf(user), ...(mongodb_url && { mongodb_url }), ...(redis_url && { redis_url }) }
}
