import type { OpenApiObject } from './schemas.ts'
import { openIdEndpoints } from './sso-openid.ts'
import type { OpenApiOperation } from './sso-parts.ts'
import { signInEndpoints } from './sso-sign-in.ts'

/** The tag of single sign-on. */
export const SSO_TAG = 'single sign-on'

/** How apps and their tokens identify themselves. */
export const ssoSecurity = {
  sso_token: { type: 'http', scheme: 'bearer', description: 'The access token of a contact, from `/oauth/token`' },
  sso_app: {
    type: 'http',
    scheme: 'basic',
    description: '`client_id` and `client_secret`; they may be in the body too',
  },
}

const PREFIX = '/sso/{account}'
const endpoints = { ...signInEndpoints, ...openIdEndpoints }

/**
 * The paths of single sign-on, which no resource declares: oidc-provider answers them. All except discovery and keys, which belong to one
 * issuer, exist at the gateway's root as well.
 */
export function ssoPaths(): Record<string, OpenApiObject> {
  const paths = Object.entries(endpoints).flatMap(([path, { method = 'get', isIssuersOwn, name, ...operation }]) => {
    const id = name ?? path.slice(path.lastIndexOf('/') + 1)
    const below = [`${PREFIX}${path}`, belowAccount(method, operation, `sso_${id}`)] as const
    return isIssuersOwn ? [below] : [below, [path, atRoot(method, operation, `sso_root_${id}`)] as const]
  })
  return Object.fromEntries(paths)
}

function belowAccount(method: string, operation: OpenApiOperation, operationId: string): OpenApiObject {
  return {
    parameters: [
      {
        name: 'account',
        in: 'path',
        required: true,
        description: "The account's slug",
        schema: { type: 'string' },
        example: 'acme',
      },
    ],
    [method]: { operationId, tags: [SSO_TAG], security: [], ...operation },
  }
}

/** The same operation without the account in the path: it follows from the request. */
function atRoot(method: string, operation: OpenApiOperation, operationId: string): OpenApiObject {
  const { 404: _, 400: wrong, ...responses } = operation.responses
  // A request with an access token has no 400: it is 401 if the token does not say the account.
  const unknown = wrong !== undefined && {
    400: {
      ...(wrong as OpenApiObject),
      description: 'The request is wrong, or nothing in it says which account it is about',
    },
  }
  return {
    [method]: {
      operationId,
      tags: [SSO_TAG],
      security: [],
      ...operation,
      summary: `${operation.summary}, at the root`,
      description: `As below \`${PREFIX}\`: the account follows from the \`client_id\`, the access token, the browser's session, or the app to which the redirect URI belongs. ${operation.description}`,
      responses: { ...responses, ...unknown },
    },
  }
}
