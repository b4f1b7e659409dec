import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import { oidc, passedHeaders } from '@gatehouse/sso/resources'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { traceparentOf } from './trace.ts'

/** Forms of a sign-in and token requests are small. */
const BODY_LIMIT = 65_536

/**
 * Everything below `/sso/<account slug>/` goes to the sso service as it comes, and its answer back: pages, redirects, cookies
 * (docs/adr/0015-sso-over-the-bus.md). Which headers count is decided there.
 */
export async function ssoRoutes(app: FastifyInstance, bus: Bus): Promise<void> {
  const client = clientOf(bus, oidc)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )
    scope.route({
      method: ['GET', 'POST'],
      url: '/sso/:slug/*',
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const { slug } = request.params as { slug: string }
        // What comes after the slug, exactly as it was sent.
        const { url = '' } = request.raw
        const answer = await client.handle({
          body: {
            slug,
            method: request.method,
            url: url.slice(url.indexOf('/', '/sso/'.length)),
            headers: passedHeaders.flatMap((name) => {
              const value = request.headers[name]
              return typeof value === 'string' ? [{ name, value }] : []
            }),
            body: typeof request.body === 'string' ? request.body : null,
            address: request.ip,
          },
          traceparent: traceparentOf(request.headers.traceparent),
        })
        reply.code(answer.status)
        for (const { name, value } of answer.headers) reply.header(name, value ?? '')
        return reply.send(answer.body ?? '')
      },
    })
  })
}
