import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import { faultStatuses, toFault } from '@gatehouse/proto/faults.ts'
import { oidc, passedHeaders } from '@gatehouse/sso/resources'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { traceparentOf } from './trace.ts'

/** Forms of a sign-in and token requests are small. */
const BODY_LIMIT = 65_536

/** What people see where no sso process answers; apps get the gateway's own answer. */
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

/**
 * Everything below `/sso/<account slug>/` goes to the sso service as it comes, and its answer back: pages, redirects, cookies
 * (docs/adr/0012-sso-over-the-bus.md). Which headers count is decided there.
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
        const asking = client.handle({
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
        const answer = await asking.catch((error: unknown) => {
          const isPage = request.headers.accept?.includes('text/html') ?? false
          if (isPage && toFault(error).code === 'unavailable') return AWAY
          throw error
        })
        reply.code(answer.status)
        for (const { name, value } of answer.headers) reply.header(name, value ?? '')
        return reply.send(answer.body ?? '')
      },
    })
  })
}
