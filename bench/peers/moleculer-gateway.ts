import type { AddressInfo, Server } from 'node:net'
import { natsOptions } from '@gatehouse/proto/bus/connecting.ts'
import { ServiceBroker } from 'moleculer'
import ApiGateway from 'moleculer-web'
import { ready } from './ready.ts'

const broker = new ServiceBroker({
  nodeID: 'gateway',
  transporter: { type: 'NATS', options: natsOptions(process.env.NATS_URL ?? '') },
  logger: false,
})
const service = broker.createService({
  name: 'api',
  mixins: [ApiGateway as object],
  settings: {
    ip: '127.0.0.1',
    port: 0,
    routes: [{ path: '/', aliases: { 'POST /echo': 'echo.create' }, bodyParsers: { json: true }, logging: false }],
  },
})
await broker.start()
await broker.waitForServices('echo')
const { port } = (service as unknown as { server: Server }).server.address() as AddressInfo
ready(`http://127.0.0.1:${port}`)
