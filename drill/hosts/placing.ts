import { serviceNames } from '../../services/services.ts'

/** The hosts, by node of their network. */
export const HOSTS = [1, 2, 3] as const

/** The processes of a host by name: a gateway, and of each service those that it runs. There are two of each service, on hosts beside each other. */
export function processesOn(host: number): string[] {
  const services = serviceNames.flatMap((name, nth) =>
    [0, 1].flatMap((copy) => ((nth + copy) % HOSTS.length === host - 1 ? [`${name}-${copy + 1}`] : [])),
  )
  return [`gateway-${host}`, ...services]
}

/** The host next to a host. */
export function neighbourOf(host: number): number {
  return (host % HOSTS.length) + 1
}
