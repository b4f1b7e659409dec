import { run } from '@gatehouse/proto/process/run.ts'
import { type GatewayConfig, settings, start } from './gateway.ts'

await run<GatewayConfig>('gateway', settings, start)
