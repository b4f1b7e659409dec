import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { faultStatuses, toFault } from '@gatehouse/proto/declaring/faults.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import { oidc, passedHeaders } from '@gatehouse/sso/resources'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readText } from './bodies.ts'
import { BodyBudget, SSO_BODIES } from './body-budget.ts'
import { subjectOfMe, traceparentOf } from './request.ts'

/** Bytes of a body: forms of a sign-in and token requests are small. */
const BODY_LIMIT = 65_536

/** The page which people see while no sso process answers; apps get the gateway's own answer. */
const AWAY = {
  status: faultStatuses.unavailable,
  headers: [
    { name: 'content-type', value: 'text/html; charset=utf-8' },
    { name: 'content-security-policy', value: "default-src 'none'; frame-ancestors 'none'" },
    { name: 'x-frame-options', value: 'DENY' },
    { name: 'cache-control', value: 'no-store' },
    { name: 'retry-after', value: '1' },
  ],
  body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Please try again</title>
<h1>We can not answer right now</h1><p>Please load this page again in a moment.</p></html>`,
}

/** Paths of single sign-on at the root: for accounts with hosts of their own, and for sites which take an issuer for a host. */
const AT_ROOT = [
  '/oauth/*',
  '/contacts/sign_out',
  '/interaction/*',
  '/invitations/*',
  '/.well-known/openid-configuration',
]

/**
 * Everything below `/sso/<account slug>/` goes to the sso service as it is, and its answer back: pages, redirects, cookies
 * (docs/adr/0012-sso-over-the-bus.md). So do its paths at the root, where the service finds the account (docs/adr/0023-sso-at-the-root.md).
 * The service decides which headers count.
 */
export async function ssoRoutes(app: FastifyInstance, bus: Bus): Promise<void> {
  const client = clientOf(bus, oidc)
  const budget = new BodyBudget(SSO_BODIES)
  // `GET /api/v1/me` is a path of the API too: the constraint tells the two apart.
  app.addConstraintStrategy({
    name: 'me',
    storage: <H>() => {
      const handlers = new Map<unknown, H>()
      return {
        get: (key: unknown) => handlers.get(key) ?? null,
        set: (key: unknown, handler: H) => void handlers.set(key, handler),
      }
    },
    deriveConstraint: subjectOfMe,
  })
  await app.register(async (scope) => {
    scope.route({
      method: ['GET', 'POST'],
      url: '/sso/:slug/*',
      handler: (request, reply) => {
        const { slug } = request.params as { slug: string }
        // The path after the slug, exactly as it was sent.
        const { url = '' } = request.raw
        return forward(request, reply, { slug, url: url.slice(url.indexOf('/', '/sso/'.length)) })
      },
    })
    for (const url of AT_ROOT) scope.route({ method: ['GET', 'POST'], url, handler: forwardRoot })
    scope.route({ method: 'GET', url: '/api/v1/me', constraints: { me: 'contact' }, handler: forwardRoot })
  })

  // The original URL still has its suffix.
  function forwardRoot(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return forward(request, reply, { url: request.originalUrl, host: request.headers.host ?? null })
  }

  async function forward(
    request: FastifyRequest,
    reply: FastifyReply,
    { slug = null, host = null, url }: { slug?: string | null; host?: string | null; url: string },
  ): Promise<FastifyReply> {
    const address = networkOf(request.ip)
    const share = budget.share({ address, holder: address })
    const text = await readText(request, BODY_LIMIT, () => share).finally(() => share.release())
    const asking = client.handle({
      body: {
        slug,
        host,
        method: request.method,
        url,
        headers: passedHeaders.flatMap((name) => {
          const value = request.headers[name]
          return typeof value === 'string' ? [{ name, value }] : []
        }),
        body: text === '' ? null : text,
        address: request.ip,
      },
      traceparent: traceparentOf(request.headers.traceparent),
    })
    const answer = await asking.catch((error: unknown) => {
      const isPage = request.headers.accept?.includes('text/html') ?? false
      if (isPage && toFault(error).code === 'unavailable') return AWAY
      throw error
    })
    reply.code(answer.status)
    for (const { name, value } of answer.headers) reply.header(name, value ?? '')
    return reply.send(answer.body ?? '')
  }
}
