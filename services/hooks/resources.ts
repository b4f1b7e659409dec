import type { Resource } from '@gatehouse/proto/resource.ts'

/** What the hooks service serves. */
export const resources: Resource[] = []
