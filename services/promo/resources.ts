import { promoCodes } from './promo-codes/resource.ts'

export { promoCodes }

/** What the promo service serves. */
export const resources = [promoCodes]
