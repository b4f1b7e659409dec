import { natsOptions } from '@gatehouse/proto/bus/bus.ts'
import { ServiceBroker } from 'moleculer'

const broker = new ServiceBroker({
  nodeID: 'service',
  transporter: { type: 'NATS', options: natsOptions(process.env.NATS_URL ?? '') },
  logger: false,
})
broker.createService({
  name: 'echo',
  actions: { create: ({ params }: { params: object }) => params },
})
await broker.start()
console.log(JSON.stringify({ msg: 'ready' }))
process.once('SIGTERM', () => void broker.stop().then(() => process.exit(0)))
