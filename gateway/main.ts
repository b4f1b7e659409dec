import { run } from '@gatehouse/proto/service.ts'
import { type Config, settings, start } from './gateway.ts'

await run<Config>('gateway', settings, start)
