import { badges } from './badges/resource.ts'
import { files } from './files/resource.ts'
import { qrCodes } from './qr-codes/resource.ts'

export { badges, files, qrCodes }

/** The resources of the badges service. */
export const resources = [badges, files, qrCodes]
