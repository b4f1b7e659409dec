import type { Credential, Size } from '@gatehouse/proto/declaring/service.ts'
import type { TProperties } from 'typebox'
import { type ServiceName, serviceNames, services } from '../../services/services.ts'

/** A process of the system: a service or the gateway. */
export type ProcessName = ServiceName | 'gateway'

/** The names of all processes. */
export const processNames: readonly ProcessName[] = ['gateway', ...serviceNames]

/** Whoever speaks on the bus: the processes, and the `gatehouse` command. */
export type ClientName = ProcessName | 'cli'

/** The names of all of them. */
export const clientNames: readonly ClientName[] = [...processNames, 'cli']

/** A setting that comes from a Secret. */
export type SecretName = Credential | 'NATS_URL'

const GATEWAY: Size = { cpu: '500m', memory: 224, processes: [2, 10] }

/**
 * How much a process gets. Memory is measured (docs/kubernetes.md#sizes). Those that give way to the door are sure of little of a processor
 * (docs/adr/0009).
 */
export function sizeOf(name: ProcessName): Size {
  return name === 'gateway' ? GATEWAY : services[name].size
}

/** The settings of a process, or of the command, which come from its Secret. */
export function secretsOf(name: ClientName): SecretName[] {
  return ['NATS_URL', ...(name === 'gateway' || name === 'cli' ? [] : services[name].credentials)]
}

/** The schemas of the settings of a process; each is a variable of the same name in capitals. */
export async function settingsOf(name: ProcessName): Promise<TProperties> {
  const folder = name === 'gateway' ? '../../gateway/gateway.ts' : `../../services/${name}/service.ts`
  return ((await import(folder)) as { settings: TProperties }).settings
}
