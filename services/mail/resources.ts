import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import { LONGEST_MS, testSends } from './test-sends/resource.ts'

export { LONGEST_MS, testSends }

/** What the mail service serves, besides its health: most of its work it takes from the queue of turns. */
export const resources: Resource[] = [testSends]
