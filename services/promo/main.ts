import { run } from '@gatehouse/proto/process/run.ts'
import type { ServiceConfig } from '@gatehouse/proto/process/service.ts'
import { settings, start } from './service.ts'

await run<ServiceConfig>('promo', settings, start)
