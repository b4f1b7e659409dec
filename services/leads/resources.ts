import type { Resource } from '@gatehouse/proto/resource.ts'

/** What the leads service serves. */
export const resources: Resource[] = []
