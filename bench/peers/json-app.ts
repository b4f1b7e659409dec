import fastify, { type FastifyInstance } from 'fastify'

/** Fastify that does no more for a body of JSON than to parse it: the floors of what is asked over HTTP. */
export function jsonApp(): FastifyInstance {
  const app = fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, JSON.parse(body as string)),
  )
  return app
}

/** Listens, and tells the bench where. */
export async function serve(app: FastifyInstance): Promise<void> {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  console.log(JSON.stringify({ msg: 'ready', url }))
  process.once('SIGTERM', () => process.exit(0))
}
