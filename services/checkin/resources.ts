import { accesspoints } from './accesspoints/resource.ts'
import { checkIns } from './check-ins/resource.ts'
import { links } from './links/resource.ts'
import { signatures } from './signatures/resource.ts'

export { accesspoints, checkIns, links, signatures }

/** What the checkin service serves. */
export const resources = [accesspoints, links, checkIns, signatures]
