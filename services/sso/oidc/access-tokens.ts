/** Characters of an account's id in an access token. */
const MARK = 16

/** An access token of an account that begins with the account's id, so that it tells at the root whose it is. The rest is the secret. */
export function marked(account_id: string, secret: string): string {
  return `${Buffer.from(account_id, 'hex').toString('base64url')}${secret}`
}

/** The account that an access token says it is of, true or not. */
export function accountIdOf(token: string): string {
  return Buffer.from(token.slice(0, MARK), 'base64url').toString('hex')
}

/** The access token of an `Authorization` header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w-]{1,200})$/i.exec(authorization ?? '')?.[1]
}
