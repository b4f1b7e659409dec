import { batching, connectNats } from './batched-nats.ts'
import { ready } from './ready.ts'

/* The service of the bare bus: parses the body and answers with it. */
const connection = await connectNats()
const publish = batching(connection)
connection.subscribe(`${process.env.NAMESPACE}.bare-echo`, {
  callback: (_error, message) => {
    if (message.reply) publish(message.reply, Buffer.from(JSON.stringify(JSON.parse(message.string()))))
  },
})
await connection.flush()
ready()
