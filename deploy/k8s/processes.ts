import type { TProperties } from 'typebox'
import { type Credential, type ServiceName, serviceNames, services } from '../../services/services.ts'

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

/** A queue of JetStream by whose length a process is scaled. */
export interface Queue {
  /** The stream's name, without the namespace in front. */
  stream: string
  consumer: string
  /** Messages which one process works off soon enough. */
  perProcess: number
}

/** How much a process gets, and how often it runs. */
export interface Size {
  /** Part of a processor which it is sure of. There is no limit: a throttled process delays whoever waits for its answer. */
  cpu: `${number}m`
  /** MiB which it is sure of: what it holds under load. It may take twice as many, for large bodies. */
  memory: number
  /** Processes in production at least and at most; between them by `queue`, else by the processor. */
  processes: readonly [number, number]
  queue?: Queue
  /** What of the Internet it reaches: these ports, or every port. */
  internet?: readonly number[] | 'every port'
}

/** Sizes follow from what was measured (docs/kubernetes.md#sizes). Those which give way to the door are sure of little of a processor (docs/adr/0017-background-work.md). */
export const sizes: Record<ProcessName, Size> = {
  gateway: { cpu: '500m', memory: 224, processes: [2, 10] },
  guests: { cpu: '250m', memory: 256, processes: [2, 6] },
  checkin: { cpu: '500m', memory: 256, processes: [2, 6] },
  promo: { cpu: '100m', memory: 160, processes: [2, 4] },
  // Amazon's certificates, by which reports of e-mails are verified.
  partners: { cpu: '250m', memory: 256, processes: [2, 4], internet: [443] },
  mail: { cpu: '100m', memory: 224, processes: [2, 4], queue: { stream: 'mail', consumer: 'workers', perProcess: 8 } },
  leads: { cpu: '100m', memory: 160, processes: [2, 4] },
  badges: {
    cpu: '50m',
    // Fonts of Chinese, Japanese and Korean letters were not in the load.
    memory: 256,
    processes: [2, 6],
    queue: { stream: 'badges', consumer: 'workers', perProcess: 500 },
  },
  // Webhooks lead to any port.
  hooks: {
    cpu: '50m',
    memory: 224,
    processes: [2, 6],
    queue: { stream: 'domain', consumer: 'hooks', perProcess: 500 },
    internet: 'every port',
  },
  sso: { cpu: '250m', memory: 192, processes: [2, 6] },
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
