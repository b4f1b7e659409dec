import { eventDataOf } from '@gatehouse/proto/declaring/event-data.ts'
import { personalDataOf } from '@gatehouse/proto/declaring/personal-data.ts'

// The checkin service serves each resource that is exported here.
export { accesspoints } from './accesspoints/resource.ts'
export { areas } from './areas/resource.ts'
export { checkIns, FOLLOWING_MS } from './check-ins/resource.ts'
export { linkShape, links, linkTerms, linkTimeErrors } from './links/resource.ts'
export { MAX_NOTED, type NotedScans, scanTimes, WINDOW_MINUTES } from './scan-times/resource.ts'
export { SLOW_MS, stepOf } from './scan-times/steps.ts'
export { signatures } from './signatures/resource.ts'
export { snapshots } from './snapshots/resource.ts'
export { walkIns } from './walk-ins/resource.ts'

export const personalData = personalDataOf('checkin')
export const eventData = eventDataOf('checkin')
