import { buildApp } from '@gatehouse/gateway/app'
import { appOptionsOf, settings } from '@gatehouse/gateway/gateway'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { withDefaults } from '@gatehouse/proto/process/config.ts'
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
  health: async () => ({}),
  ...appOptionsOf(withDefaults(settings, { rate_limits: 'off' })),
})
await serve(app)
