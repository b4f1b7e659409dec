/** The key with which test systems encrypt their secrets. */
export const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
