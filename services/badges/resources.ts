import { eventDataOf } from '@gatehouse/proto/declaring/event-data.ts'
import { personalDataOf } from '@gatehouse/proto/declaring/personal-data.ts'

// The badges service serves each resource that is exported here.
export { badgeTemplates } from './badge-templates/resource.ts'
export { badges } from './badges/resource.ts'
export { files } from './files/resource.ts'
export { qrCodes } from './qr-codes/resource.ts'
export { walletPages, walletPasses } from './wallet-passes/resource.ts'

export const personalData = personalDataOf('badges')
export const eventData = eventDataOf('badges')
