// The mail service serves each resource that is exported here.
export { LONGEST_MS, testSends } from './test-sends/resource.ts'
