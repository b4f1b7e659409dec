/** The options of a session's cookie; `Secure` follows from the issuer. */
export const sessionCookie = { httpOnly: true, sameSite: 'lax', signed: true, path: '/' } as const

/**
 * The prefix of a session cookie's name; the account's slug follows. `__Host-` binds a cookie to its host and requires the path `/`, so the
 * account is in the name.
 */
export function sessionCookiePrefix(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}sso-`
}
