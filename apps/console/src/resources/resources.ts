import { events } from './events.ts'
import type { Resource } from './resource.ts'

/** The resources which the console shows. */
export const resources: readonly Resource[] = [events]
