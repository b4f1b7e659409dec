import { personalDataOf } from '@gatehouse/proto/privacy/personal-data.ts'
import { badges } from './badges/resource.ts'
import { files } from './files/resource.ts'
import { qrCodes } from './qr-codes/resource.ts'

const personalData = personalDataOf('badges')

export { badges, files, personalData, qrCodes }

/** The resources of the badges service. */
export const resources = [badges, files, qrCodes, personalData]
