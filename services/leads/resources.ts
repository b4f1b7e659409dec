import { apps } from './apps/resource.ts'
import { connections } from './connections/resource.ts'
import { exhibitors } from './exhibitors/resource.ts'
import { leadGuests } from './lead-guests/resource.ts'
import { licences } from './licences/resource.ts'

export { apps, connections, exhibitors, leadGuests, licences }

/** What the leads service serves. */
export const resources = [exhibitors, connections, leadGuests, licences, apps]
