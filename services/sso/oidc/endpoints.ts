/** The paths of endpoints below an issuer. */
export const routes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  jwks: '/oauth/keys',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  end_session: '/oauth/logout',
}

const endpoints = new Set<string>(Object.values(routes))

/** The endpoints that take secrets of apps, which strangers could guess. */
const secretPaths = new Set<string>([routes.token, routes.revocation, routes.introspection])

/** Whether requests to a path carry the secret of an app. */
export function takesSecrets(path: string): boolean {
  return secretPaths.has(path)
}

/** Whether sites ask a path, which get JSON, rather than people, who get pages. */
export function isForMachines(path: string): boolean {
  return secretPaths.has(path) || path === routes.userinfo || path === routes.jwks
}

/**
 * Whether oidc-provider takes a path for one of the endpoints although it is spelled otherwise: in capitals, or with a slash at its end.
 */
export function isMisspelled(path: string): boolean {
  return !endpoints.has(path) && endpoints.has(path.toLowerCase().replace(/\/+$/, ''))
}
