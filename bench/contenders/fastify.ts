import fastify from 'fastify'

/* The floor of everything over HTTP: Fastify reads the same body with JSON.parse and answers a small JSON object. */
const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
  done(null, JSON.parse(body as string)),
)
app.post('/echo', async (request, reply) =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(request.body)),
)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ msg: 'ready', url }))
process.once('SIGTERM', () => process.exit(0))
