import { jsonApp, serve } from './json-app.ts'

/* The floor of everything over HTTP: Fastify reads the same body with JSON.parse and answers a small JSON object. */
const app = jsonApp()
app.post('/echo', async (request, reply) =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(request.body)),
)
await serve(app)
