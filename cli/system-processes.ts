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
  /** The address of a store with the user of a service or of the gateway. */
  urlOf: Record<StoreSetting, (name: string) => string>
  credentials: Record<Exclude<Credential, StoreSetting>, string | null>
  /** The operations port of the first process, which is the gateway, and of each further one the next. 0 is any for each; null is none. */
  operationsPort: number | null
}

/** The settings that hold addresses of stores, for which each service has users of its own. */
const STORE_SETTINGS = ['NATS_URL', 'MONGODB_URL', 'REDIS_URL'] as const
type StoreSetting = (typeof STORE_SETTINGS)[number]

/** All processes of a system, the gateway first. Each gets the credentials that its services take, and no others. */
export function systemProcesses({ layout, urlOf, credentials, operationsPort }: ProcessOptions): SystemProcess[] {
  const groups: readonly (readonly ServiceName[])[] =
    layout === 'shared' ? sharedProcesses : serviceNames.map((name) => [name])
  return [[], ...groups].map((group: readonly ServiceName[], index) => {
    const [first = 'gateway', ...others] = group
    const port = operationsPort && operationsPort + index
    const isShared = others.length > 0
    const taken: readonly Credential[] = group.flatMap((name) => services[name].credentials)
    const storesOf = (name: string) =>
      STORE_SETTINGS.filter((each) => each === 'NATS_URL' || services[name as ServiceName]?.credentials.includes(each))
    const urls = [first, ...others].flatMap((name) =>
      storesOf(name).map((each) => [isShared ? `${each}_${name.toUpperCase()}` : each, urlOf[each](name)]),
    )
    return {
      name: [first, ...others].join('+'),
      main: others.length === 0 ? mainOf(first) : 'services/main.ts',
      services: group,
      env: {
        ...Object.fromEntries(urls),
        ...Object.fromEntries(taken.filter(isNoStore).map((name) => [name, credentials[name] ?? ''])),
        ...(isShared && { SERVICES: group.join() }),
        OPERATIONS_PORT: port === null ? '' : String(port),
      },
    }
  })
}

function isNoStore(name: Credential): name is Exclude<Credential, StoreSetting> {
  return !(STORE_SETTINGS as readonly string[]).includes(name)
}
