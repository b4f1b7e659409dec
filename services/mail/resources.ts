import type { Resource } from '@gatehouse/proto/declaring/resource.ts'

/** The mail service serves nothing but its health: it takes its work from the queue of turns. */
export const resources: Resource[] = []
