// The promo service serves each resource that is exported here.
export { promoCodes } from './promo-codes/resource.ts'
