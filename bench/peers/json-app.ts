import fastify, { type FastifyInstance } from 'fastify'
import { ready } from './ready.ts'

/** A Fastify app that only parses bodies of JSON. */
export function jsonApp(): FastifyInstance {
  const app = fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, JSON.parse(body as string)),
  )
  return app
}

/** Listens, and prints the URL for the bench. */
export async function serve(app: FastifyInstance): Promise<void> {
  ready(await app.listen({ host: '127.0.0.1', port: 0 }))
}
