import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import { services } from '../services/services.ts'

/** The resources of all services. */
export const resources: Resource[] = Object.values(services).flatMap(({ resources }) => resources)
