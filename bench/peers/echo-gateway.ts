import { buildApp } from '@gatehouse/gateway/app'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { echoes } from './echo-resource.ts'
import { serve } from './json-app.ts'

const { NATS_URL = '', NAMESPACE = '' } = process.env
const log = makeLog('gateway', 'warn')
const bus = await connectBus({ servers: NATS_URL, namespace: NAMESPACE, name: 'gateway', log })
const app = await buildApp({
  bus,
  log,
  resources: [echoes],
  limits: { off: true, perToken: 1, perAccount: 1, perStranger: 1, bytesPerToken: 1, bytesPerAccount: 1 },
  health: async () => ({}),
  trustProxy: false,
})
await serve(app)
