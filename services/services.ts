import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import { withDefaults } from '@gatehouse/proto/process/config.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import type { TProperties } from 'typebox'

/** All services, in the order of the API document. The name of a service is that of its folder. */
const modules = {
  guests: import('./guests/declaration.ts'),
  checkin: import('./checkin/declaration.ts'),
  promo: import('./promo/declaration.ts'),
  partners: import('./partners/declaration.ts'),
  mail: import('./mail/declaration.ts'),
  leads: import('./leads/declaration.ts'),
  badges: import('./badges/declaration.ts'),
  hooks: import('./hooks/declaration.ts'),
  sso: import('./sso/declaration.ts'),
}

export type ServiceName = keyof typeof modules

/** The names of all services. */
export const serviceNames = Object.keys(modules) as ServiceName[]

/** What each service declares. Its code is read where it runs: {@link startService}. */
export const services = Object.fromEntries(
  await Promise.all(serviceNames.map(async (name) => [name, (await modules[name]).declaration])),
) as Record<ServiceName, ServiceDeclaration>

/** Whether what a service does can wait. */
export function isBackground(name: ServiceName): boolean {
  return services[name].isBackground ?? false
}

/**
 * The services of each process where a small machine runs them all: the doors have one for themselves, and what can wait has one that gives way to
 * all others.
 */
export const sharedProcesses: readonly ServiceName[][] = [
  ['checkin'],
  serviceNames.filter((name) => name !== 'checkin' && !isBackground(name)),
  serviceNames.filter(isBackground),
]

/** The file, from the root of the repository, that a process of a service or of the gateway runs. */
export function mainOf(name: string): string {
  return name === 'gateway' ? 'gateway/main.ts' : `services/${name}/main.ts`
}

/** The module of a service. */
export interface ServiceModule {
  settings: TProperties
  start(config: object): Promise<Running>
}

/** The module of a service, which reads its code. */
export function moduleOf(name: ServiceName): Promise<ServiceModule> {
  return import(`./${name}/service.ts`)
}

/** Starts a service within this process; settings that are not given have their defaults. */
export async function startService(name: ServiceName, given: object): Promise<Running> {
  const { settings, start } = await moduleOf(name)
  return start(withDefaults(settings, given))
}
