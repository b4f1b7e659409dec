import { personalDataOf } from '@gatehouse/proto/privacy/personal-data.ts'
import { apps } from './apps/resource.ts'
import { connections } from './connections/resource.ts'
import { exhibitors } from './exhibitors/resource.ts'
import { leadGuests } from './lead-guests/resource.ts'
import { licences } from './licences/resource.ts'

const personalData = personalDataOf('leads')

export { apps, connections, exhibitors, leadGuests, licences, personalData }

/** What the leads service serves. */
export const resources = [exhibitors, connections, leadGuests, licences, apps, personalData]
