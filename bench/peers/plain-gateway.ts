import { natsOptions } from '@gatehouse/proto/bus/connecting.ts'
import { connect } from '@nats-io/transport-node'
import fastify from 'fastify'
import { ready } from './ready.ts'

/* The gateway of the plain check-in: Fastify and NATS request/reply, as their documentation shows. */
const connection = await connect({ ...natsOptions(process.env.NATS_URL ?? ''), noAsyncTraces: true })
const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
  done(null, JSON.parse(body as string)),
)
app.post('/check-ins', async (request, reply) => {
  const answer = await connection.request(`${process.env.NAMESPACE}.plain`, JSON.stringify(request.body), {
    timeout: 10_000,
  })
  return reply.code(201).type('application/json; charset=utf-8').send(answer.string())
})
ready(await app.listen({ host: '127.0.0.1', port: 0 }))
