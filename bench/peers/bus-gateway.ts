import { PendingTable } from '@gatehouse/proto/bus/pending-table.ts'
import fastify from 'fastify'
import { batching, connectNats } from './batched-nats.ts'
import { serve } from './json-app.ts'

/*
 * The least that a request over HTTP and NATS costs: Fastify, one message out and one in, both published together with others of the same turn.
 * No token, no format, no deadline, no faults, no body of more than one message.
 */
const connection = await connectNats()
const publish = batching(connection)
const inbox = `_INBOX.bare.${crypto.randomUUID()}`
const pending = new PendingTable<(body: Uint8Array) => void>()
connection.subscribe(`${inbox}.*`, {
  callback: (_error, { subject, data }) => {
    const id = subject.slice(inbox.length + 1)
    pending.get(id)?.(data)
    pending.delete(id)
  },
})

const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post('/echo', async (request, reply) => {
  const body = await new Promise<Uint8Array>((resolve) => {
    const id = pending.add(resolve)
    publish(`${process.env.NAMESPACE}.bare-echo`, request.body as Buffer, `${inbox}.${id}`)
  })
  return reply.type('application/json; charset=utf-8').send(Buffer.from(body).toString())
})
await serve(app)
