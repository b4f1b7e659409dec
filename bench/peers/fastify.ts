import { jsonApp, serve } from './json-app.ts'

/* The floor of all requests over HTTP: Fastify parses the same body with JSON.parse and answers with it. */
const app = jsonApp()
app.post('/echo', async (request, reply) =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(request.body)),
)
await serve(app)
