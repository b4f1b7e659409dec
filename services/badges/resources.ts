import { badges } from './badges/resource.ts'
import { files } from './files/resource.ts'
import { qrCodes } from './qr-codes/resource.ts'

export { badges, files, qrCodes }

/** What the badges service serves. */
export const resources = [badges, files, qrCodes]
