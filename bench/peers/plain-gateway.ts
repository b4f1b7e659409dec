import { connectNats } from './batched-nats.ts'
import { jsonApp, serve } from './json-app.ts'

/* The gateway of the plain check-in: Fastify and NATS request/reply, as their documentation shows. */
const connection = await connectNats()
const app = jsonApp()
app.post('/check-ins', async (request, reply) => {
  const answer = await connection.request(`${process.env.NAMESPACE}.plain`, JSON.stringify(request.body), {
    timeout: 10_000,
  })
  return reply.code(201).type('application/json; charset=utf-8').send(answer.string())
})
await serve(app)
