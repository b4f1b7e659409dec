import { inject } from 'vitest'

/** The URL of NATS for a process, which may do there what it declares and nothing else. */
export function natsUrlOf(user: string): string {
  const url = inject('natsUrls')[user]
  if (url === undefined) throw new Error(`NATS has no user ${user}`)
  return url
}
