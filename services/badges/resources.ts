import type { Resource } from '@gatehouse/proto/resource.ts'

/** What the badges service serves. */
export const resources: Resource[] = []
