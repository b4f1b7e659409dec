/** Length of the account's id in an access token. */
const MARK = 16

/** An access token that begins with its account's id, so a request to the root identifies its account. The rest is the secret. */
export function marked(account_id: string, secret: string): string {
  return `${Buffer.from(account_id, 'hex').toString('base64url')}${secret}`
}

/** The account that an access token claims. */
export function accountIdOf(token: string): string {
  return Buffer.from(token.slice(0, MARK), 'base64url').toString('hex')
}

/** The access token of an `Authorization` header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w-]{1,200})$/i.exec(authorization ?? '')?.[1]
}
