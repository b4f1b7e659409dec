import { natsOptions } from '@gatehouse/proto/bus/connecting.ts'
import { ServiceBroker } from 'moleculer'
import { ready } from './ready.ts'

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
ready(undefined, () => broker.stop())
