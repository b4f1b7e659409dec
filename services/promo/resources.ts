import type { Resource } from '@gatehouse/proto/resource.ts'

/** What the promo service serves. */
export const resources: Resource[] = []
