import type { SealedConfig } from '@gatehouse/proto/sealing.ts'
import { run } from '@gatehouse/proto/service.ts'
import { settings, start } from './service.ts'

await run<SealedConfig>('leads', settings, start)
