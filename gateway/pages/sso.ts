import type { Askable, Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { passedHeaders } from '@gatehouse/sso/resources'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { askCells } from '../admission/strangers.ts'
import { BodyBudget, PAGE_BODIES } from '../forwarding/body-budget.ts'
import { subjectOfMe, traceparentOf } from '../http/request.ts'
import type { GateOf } from '../overload/overload.ts'
import { oidc } from '../permissions.ts'
import { answerWith, webRequestOf } from './pages.ts'

/** Paths of single sign-on at the root: for accounts with hosts of their own, and for sites that take an issuer for a host. */
const AT_ROOT = [
  '/oauth/*',
  '/contacts/sign_out',
  '/interaction/*',
  '/invitations/*',
  '/.well-known/openid-configuration',
]

/**
 * Everything below `/sso/<account slug>/` goes to the sso service as it is, and its answer back: pages, redirects, cookies
 * (docs/adr/0011). So do its paths at the root, where the service finds the account.
 * The service decides which headers count.
 */
export function ssoRoutes(app: FastifyInstance, bus: Bus, gateOf: GateOf): void {
  const gate = gateOf(oidc, oidc.actions.handle)
  const budget = new BodyBudget(PAGE_BODIES)
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
  app.route({
    method: ['GET', 'POST'],
    url: '/sso/:slug/*',
    onRequest: gate.hook,
    handler: (request, reply) => {
      const { slug } = request.params as { slug: string }
      // The path after the slug, exactly as it was sent.
      const { url = '' } = request.raw
      return forward(request, reply, { slug, url: url.slice(url.indexOf('/', '/sso/'.length)) })
    },
  })
  for (const url of AT_ROOT) app.route({ method: ['GET', 'POST'], url, onRequest: gate.hook, handler: forwardRoot })
  app.route({
    method: 'GET',
    url: '/api/v1/me',
    constraints: { me: 'contact' },
    onRequest: gate.hook,
    handler: forwardRoot,
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
    return budget.sharing(request, async (share) => {
      const body = await webRequestOf(request, { url, headers: passedHeaders, share })
      const traceparent = traceparentOf(request.headers.traceparent)
      const ask = (cell: Askable) => clientOf(cell, oidc).handle({ body: { slug, host, ...body }, traceparent })
      return gate.admit(request, async () => answerWith(reply, await askCells(bus, ask, ({ is_placed }) => !is_placed)))
    })
  }
}
