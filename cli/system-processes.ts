import type { Credential } from '@gatehouse/proto/declaring/service.ts'
import { mainOf, type ServiceName, serviceNames, services, sharedProcesses } from '../services/services.ts'

/** A process of the system: the gateway, or one or more services. */
export interface SystemProcess {
  /** `gateway`, or its services: `mail+badges+hooks`. */
  name: string
  /** Its file, from the root of the repository. */
  main: string
  /** None for the gateway. */
  services: readonly ServiceName[]
  /** Its own settings: its addresses and keys, and its operations port. */
  env: Record<string, string>
}

interface ProcessOptions {
  /** Whether services share processes, which start faster and take less memory, or have one each. */
  layout: 'shared' | 'separate'
  /** The address of NATS with the user of a service or of the gateway. */
  natsUrlOf: (name: string) => string
  credentials: Record<Credential, string | null>
  /** The operations port of the first process, which is the gateway, and of each further one the next. 0 is any for each; null is none. */
  operationsPort: number | null
}

/** All processes of a system, the gateway first. Each gets the credentials which its services take, and no others. */
export function systemProcesses({ layout, natsUrlOf, credentials, operationsPort }: ProcessOptions): SystemProcess[] {
  const groups: readonly (readonly ServiceName[])[] =
    layout === 'shared' ? sharedProcesses : serviceNames.map((name) => [name])
  return [[], ...groups].map((group: readonly ServiceName[], index) => {
    const [first = 'gateway', ...others] = group
    const port = operationsPort && operationsPort + index
    const taken: readonly Credential[] = group.flatMap((name) => services[name].credentials)
    const natsUrls =
      others.length === 0
        ? { NATS_URL: natsUrlOf(first) }
        : Object.fromEntries(group.map((name) => [`NATS_URL_${name.toUpperCase()}`, natsUrlOf(name)]))
    return {
      name: [first, ...others].join('+'),
      main: others.length === 0 ? mainOf(first) : 'services/main.ts',
      services: group,
      env: {
        ...natsUrls,
        ...Object.fromEntries(taken.map((name) => [name, credentials[name] ?? ''])),
        ...(others.length > 0 && { SERVICES: group.join() }),
        OPERATIONS_PORT: port === null ? '' : String(port),
      },
    }
  })
}
