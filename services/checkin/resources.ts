import { personalDataOf } from '@gatehouse/proto/privacy/personal-data.ts'
import { accesspoints } from './accesspoints/resource.ts'
import { checkIns, FOLLOWING_MS } from './check-ins/resource.ts'
import { links, linkTerms } from './links/resource.ts'
import { signatures } from './signatures/resource.ts'
import { snapshots } from './snapshots/resource.ts'

const personalData = personalDataOf('checkin')

export { accesspoints, checkIns, FOLLOWING_MS, links, linkTerms, personalData, signatures, snapshots }

/** What the checkin service serves. */
export const resources = [accesspoints, links, checkIns, signatures, snapshots, personalData]
