import { run } from '@gatehouse/proto/process.ts'
import type { ServiceConfig } from '@gatehouse/proto/service.ts'
import { settings, start } from './service.ts'

await run<ServiceConfig>('partners', settings, start)
