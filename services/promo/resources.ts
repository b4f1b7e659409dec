// The promo service serves each resource which is exported here.
export { promoCodes } from './promo-codes/resource.ts'
