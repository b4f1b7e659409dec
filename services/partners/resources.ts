import type { Resource } from '@gatehouse/proto/resource.ts'

/** What the partners service serves. */
export const resources: Resource[] = []
